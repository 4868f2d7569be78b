import type { Action, FormAction } from "../action.ts";
import { leadFromProfile, profileForm, setProfile, viewProfile } from "./changes.ts";
import { copyForm } from "./copy.ts";
import { cancelDraft, createDraft, draftForm } from "./draft-card.ts";
import { hideFromProfile, showFromProfile, showFromTeam } from "./hide.ts";
import { tryFirstTask } from "./meeting.ts";

export const profileActions: Readonly<Record<string, Action>> = {
  draft_create: createDraft,
  draft_cancel: cancelDraft,
  teammate_view: viewProfile,
  teammate_set: setProfile,
  teammate_lead: leadFromProfile,
  teammate_hide: hideFromProfile,
  teammate_show: showFromProfile,
  teammate_task: tryFirstTask,
  team_show: showFromTeam,
};

export const profileForms: Readonly<Record<string, FormAction>> = {
  draft_edit: draftForm,
  teammate_edit: profileForm,
  teammate_copy: copyForm,
};
