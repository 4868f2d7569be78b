// Generated from "codex app-server generate-ts --experimental" by npm run generate:protocol. Do not edit.
import type {
  AccountLoginCompletedNotification,
  AccountRateLimitsUpdatedNotification,
  AccountUpdatedNotification,
  AgentMessageDeltaNotification,
  ApplyPatchApprovalParams,
  ApplyPatchApprovalResponse,
  AttestationGenerateParams,
  AttestationGenerateResponse,
  CancelLoginAccountParams,
  CancelLoginAccountResponse,
  ChatgptAuthTokensRefreshParams,
  ChatgptAuthTokensRefreshResponse,
  CommandExecutionOutputDeltaNotification,
  CommandExecutionRequestApprovalParams,
  CommandExecutionRequestApprovalResponse,
  ConfigReadParams,
  ConfigReadResponse,
  ConfigWarningNotification,
  ContextCompactedNotification,
  DeprecationNoticeNotification,
  DynamicToolCallParams,
  DynamicToolCallResponse,
  ErrorNotification,
  ExecCommandApprovalParams,
  ExecCommandApprovalResponse,
  FileChangePatchUpdatedNotification,
  FileChangeRequestApprovalParams,
  FileChangeRequestApprovalResponse,
  FsCopyParams,
  FsCopyResponse,
  FsCreateDirectoryParams,
  FsCreateDirectoryResponse,
  FsGetMetadataParams,
  FsGetMetadataResponse,
  FsReadDirectoryParams,
  FsReadDirectoryResponse,
  FsReadFileParams,
  FsReadFileResponse,
  FsRemoveParams,
  FsRemoveResponse,
  FsWriteFileParams,
  FsWriteFileResponse,
  GetAccountParams,
  GetAccountRateLimitsParams,
  GetAccountRateLimitsResponse,
  GetAccountResponse,
  GuardianWarningNotification,
  InitializeParams,
  InitializeResponse,
  ItemCompletedNotification,
  ItemStartedNotification,
  ListMcpServerStatusParams,
  ListMcpServerStatusResponse,
  LoginAccountParams,
  LoginAccountResponse,
  LogoutAccountResponse,
  McpServerElicitationRequestParams,
  McpServerElicitationRequestResponse,
  McpServerOauthLoginCompletedNotification,
  McpServerOauthLoginParams,
  McpServerOauthLoginResponse,
  McpServerRefreshResponse,
  McpServerStatusUpdatedNotification,
  McpToolCallProgressNotification,
  ModelListParams,
  ModelListResponse,
  ModelReroutedNotification,
  PermissionsRequestApprovalParams,
  PermissionsRequestApprovalResponse,
  PlanDeltaNotification,
  ReasoningSummaryPartAddedNotification,
  ReasoningSummaryTextDeltaNotification,
  ServerDiagnosticsParams,
  ServerDiagnosticsResponse,
  ServerRequestResolvedNotification,
  SkillsChangedNotification,
  SkillsListParams,
  SkillsListResponse,
  ThreadArchiveParams,
  ThreadArchiveResponse,
  ThreadBackgroundTerminalsCleanParams,
  ThreadBackgroundTerminalsCleanResponse,
  ThreadBackgroundTerminalsListParams,
  ThreadBackgroundTerminalsListResponse,
  ThreadBackgroundTerminalsTerminateParams,
  ThreadBackgroundTerminalsTerminateResponse,
  ThreadClosedNotification,
  ThreadCompactStartParams,
  ThreadCompactStartResponse,
  ThreadDeleteParams,
  ThreadDeleteResponse,
  ThreadForkParams,
  ThreadForkResponse,
  ThreadInjectItemsParams,
  ThreadInjectItemsResponse,
  ThreadItemsListParams,
  ThreadItemsListResponse,
  ThreadListParams,
  ThreadListResponse,
  ThreadLoadedListParams,
  ThreadLoadedListResponse,
  ThreadNameUpdatedNotification,
  ThreadReadParams,
  ThreadReadResponse,
  ThreadResumeParams,
  ThreadResumeResponse,
  ThreadSetNameParams,
  ThreadSetNameResponse,
  ThreadSettingsUpdateParams,
  ThreadSettingsUpdateResponse,
  ThreadSettingsUpdatedNotification,
  ThreadStartParams,
  ThreadStartResponse,
  ThreadStartedNotification,
  ThreadStatusChangedNotification,
  ThreadTokenUsageUpdatedNotification,
  ThreadTurnsListParams,
  ThreadTurnsListResponse,
  ThreadUnarchiveParams,
  ThreadUnarchiveResponse,
  ThreadUnsubscribeParams,
  ThreadUnsubscribeResponse,
  ToolRequestUserInputParams,
  ToolRequestUserInputResponse,
  TurnCompletedNotification,
  TurnDiffUpdatedNotification,
  TurnInterruptParams,
  TurnInterruptResponse,
  TurnPlanUpdatedNotification,
  TurnStartParams,
  TurnStartResponse,
  TurnStartedNotification,
  TurnSteerParams,
  TurnSteerResponse,
  WarningNotification,
} from "./types.ts";

/** Requests that we send. */

export interface Methods {
  "initialize": { params: InitializeParams; result: InitializeResponse };
  "server/diagnostics": { params: ServerDiagnosticsParams; result: ServerDiagnosticsResponse };
  "thread/start": { params: ThreadStartParams; result: ThreadStartResponse };
  "thread/resume": { params: ThreadResumeParams; result: ThreadResumeResponse };
  "thread/fork": { params: ThreadForkParams; result: ThreadForkResponse };
  "thread/archive": { params: ThreadArchiveParams; result: ThreadArchiveResponse };
  "thread/delete": { params: ThreadDeleteParams; result: ThreadDeleteResponse };
  "thread/unsubscribe": { params: ThreadUnsubscribeParams; result: ThreadUnsubscribeResponse };
  "thread/name/set": { params: ThreadSetNameParams; result: ThreadSetNameResponse };
  "thread/settings/update": { params: ThreadSettingsUpdateParams; result: ThreadSettingsUpdateResponse };
  "thread/unarchive": { params: ThreadUnarchiveParams; result: ThreadUnarchiveResponse };
  "thread/compact/start": { params: ThreadCompactStartParams; result: ThreadCompactStartResponse };
  "thread/backgroundTerminals/clean": { params: ThreadBackgroundTerminalsCleanParams; result: ThreadBackgroundTerminalsCleanResponse };
  "thread/backgroundTerminals/list": { params: ThreadBackgroundTerminalsListParams; result: ThreadBackgroundTerminalsListResponse };
  "thread/backgroundTerminals/terminate": { params: ThreadBackgroundTerminalsTerminateParams; result: ThreadBackgroundTerminalsTerminateResponse };
  "thread/list": { params: ThreadListParams; result: ThreadListResponse };
  "thread/loaded/list": { params: ThreadLoadedListParams; result: ThreadLoadedListResponse };
  "thread/read": { params: ThreadReadParams; result: ThreadReadResponse };
  "thread/turns/list": { params: ThreadTurnsListParams; result: ThreadTurnsListResponse };
  "thread/items/list": { params: ThreadItemsListParams; result: ThreadItemsListResponse };
  "thread/inject_items": { params: ThreadInjectItemsParams; result: ThreadInjectItemsResponse };
  "skills/list": { params: SkillsListParams; result: SkillsListResponse };
  "fs/readFile": { params: FsReadFileParams; result: FsReadFileResponse };
  "fs/writeFile": { params: FsWriteFileParams; result: FsWriteFileResponse };
  "fs/createDirectory": { params: FsCreateDirectoryParams; result: FsCreateDirectoryResponse };
  "fs/getMetadata": { params: FsGetMetadataParams; result: FsGetMetadataResponse };
  "fs/readDirectory": { params: FsReadDirectoryParams; result: FsReadDirectoryResponse };
  "fs/remove": { params: FsRemoveParams; result: FsRemoveResponse };
  "fs/copy": { params: FsCopyParams; result: FsCopyResponse };
  "turn/start": { params: TurnStartParams; result: TurnStartResponse };
  "turn/steer": { params: TurnSteerParams; result: TurnSteerResponse };
  "turn/interrupt": { params: TurnInterruptParams; result: TurnInterruptResponse };
  "model/list": { params: ModelListParams; result: ModelListResponse };
  "mcpServer/oauth/login": { params: McpServerOauthLoginParams; result: McpServerOauthLoginResponse };
  "config/mcpServer/reload": { params: undefined; result: McpServerRefreshResponse };
  "mcpServerStatus/list": { params: ListMcpServerStatusParams; result: ListMcpServerStatusResponse };
  "account/login/start": { params: LoginAccountParams; result: LoginAccountResponse };
  "account/login/cancel": { params: CancelLoginAccountParams; result: CancelLoginAccountResponse };
  "account/logout": { params: undefined; result: LogoutAccountResponse };
  "account/rateLimits/read": { params: GetAccountRateLimitsParams; result: GetAccountRateLimitsResponse };
  "config/read": { params: ConfigReadParams; result: ConfigReadResponse };
  "account/read": { params: GetAccountParams; result: GetAccountResponse };
}

/** Requests that Codex sends and that must be answered. */

export interface ServerRequests {
  "item/commandExecution/requestApproval": { params: CommandExecutionRequestApprovalParams; result: CommandExecutionRequestApprovalResponse };
  "item/fileChange/requestApproval": { params: FileChangeRequestApprovalParams; result: FileChangeRequestApprovalResponse };
  "item/tool/requestUserInput": { params: ToolRequestUserInputParams; result: ToolRequestUserInputResponse };
  "mcpServer/elicitation/request": { params: McpServerElicitationRequestParams; result: McpServerElicitationRequestResponse };
  "item/permissions/requestApproval": { params: PermissionsRequestApprovalParams; result: PermissionsRequestApprovalResponse };
  "item/tool/call": { params: DynamicToolCallParams; result: DynamicToolCallResponse };
  "account/chatgptAuthTokens/refresh": { params: ChatgptAuthTokensRefreshParams; result: ChatgptAuthTokensRefreshResponse };
  "attestation/generate": { params: AttestationGenerateParams; result: AttestationGenerateResponse };
  "applyPatchApproval": { params: ApplyPatchApprovalParams; result: ApplyPatchApprovalResponse };
  "execCommandApproval": { params: ExecCommandApprovalParams; result: ExecCommandApprovalResponse };
}

/** Notifications that we read. */

export interface Notifications {
  "error": ErrorNotification;
  "thread/started": ThreadStartedNotification;
  "thread/status/changed": ThreadStatusChangedNotification;
  "thread/closed": ThreadClosedNotification;
  "skills/changed": SkillsChangedNotification;
  "thread/name/updated": ThreadNameUpdatedNotification;
  "thread/settings/updated": ThreadSettingsUpdatedNotification;
  "thread/tokenUsage/updated": ThreadTokenUsageUpdatedNotification;
  "turn/started": TurnStartedNotification;
  "turn/completed": TurnCompletedNotification;
  "turn/diff/updated": TurnDiffUpdatedNotification;
  "turn/plan/updated": TurnPlanUpdatedNotification;
  "item/started": ItemStartedNotification;
  "item/completed": ItemCompletedNotification;
  "item/agentMessage/delta": AgentMessageDeltaNotification;
  "item/plan/delta": PlanDeltaNotification;
  "item/commandExecution/outputDelta": CommandExecutionOutputDeltaNotification;
  "item/fileChange/patchUpdated": FileChangePatchUpdatedNotification;
  "serverRequest/resolved": ServerRequestResolvedNotification;
  "item/mcpToolCall/progress": McpToolCallProgressNotification;
  "mcpServer/oauthLogin/completed": McpServerOauthLoginCompletedNotification;
  "mcpServer/startupStatus/updated": McpServerStatusUpdatedNotification;
  "account/updated": AccountUpdatedNotification;
  "account/rateLimits/updated": AccountRateLimitsUpdatedNotification;
  "item/reasoning/summaryTextDelta": ReasoningSummaryTextDeltaNotification;
  "item/reasoning/summaryPartAdded": ReasoningSummaryPartAddedNotification;
  "thread/compacted": ContextCompactedNotification;
  "model/rerouted": ModelReroutedNotification;
  "warning": WarningNotification;
  "guardianWarning": GuardianWarningNotification;
  "deprecationNotice": DeprecationNoticeNotification;
  "configWarning": ConfigWarningNotification;
  "account/login/completed": AccountLoginCompletedNotification;
}

/** Every request Codex may send. */
export const serverRequestMethods: readonly (keyof ServerRequests)[] = [
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval",
  "item/tool/requestUserInput",
  "mcpServer/elicitation/request",
  "item/permissions/requestApproval",
  "item/tool/call",
  "account/chatgptAuthTokens/refresh",
  "attestation/generate",
  "applyPatchApproval",
  "execCommandApproval",
];

/** Every notification we read. */
export const notificationMethods: readonly (keyof Notifications)[] = [
  "error",
  "thread/started",
  "thread/status/changed",
  "thread/closed",
  "skills/changed",
  "thread/name/updated",
  "thread/settings/updated",
  "thread/tokenUsage/updated",
  "turn/started",
  "turn/completed",
  "turn/diff/updated",
  "turn/plan/updated",
  "item/started",
  "item/completed",
  "item/agentMessage/delta",
  "item/plan/delta",
  "item/commandExecution/outputDelta",
  "item/fileChange/patchUpdated",
  "serverRequest/resolved",
  "item/mcpToolCall/progress",
  "mcpServer/oauthLogin/completed",
  "mcpServer/startupStatus/updated",
  "account/updated",
  "account/rateLimits/updated",
  "item/reasoning/summaryTextDelta",
  "item/reasoning/summaryPartAdded",
  "thread/compacted",
  "model/rerouted",
  "warning",
  "guardianWarning",
  "deprecationNotice",
  "configWarning",
  "account/login/completed",
];

/** Notifications Codex knows and we do not read. */
export const unreadNotificationMethods: readonly (string)[] = [
  "thread/readState/changed",
  "thread/archived",
  "thread/deleted",
  "thread/unarchived",
  "thread/reverted",
  "thread/section/changed",
  "thread/attachment/updated",
  "thread/goal/updated",
  "thread/prediction/updated",
  "thread/goal/cleared",
  "thread/queue/changed",
  "project/changed",
  "thread/project/updated",
  "thread/environment/connected",
  "thread/environment/disconnected",
  "hook/started",
  "hook/completed",
  "item/autoApprovalReview/started",
  "item/autoApprovalReview/completed",
  "autoApprovalReview/strictReviewRequired",
  "rawResponseItem/completed",
  "rawResponse/completed",
  "command/exec/outputDelta",
  "process/outputDelta",
  "thread/search/partial",
  "process/exited",
  "item/commandExecution/terminalInteraction",
  "item/fileChange/outputDelta",
  "mcpServer/event/stream/notification",
  "account/gatewayOAuth/changed",
  "app/list/updated",
  "remoteControl/status/changed",
  "externalAgentConfig/import/progress",
  "externalAgentConfig/import/completed",
  "fs/changed",
  "item/reasoning/textDelta",
  "model/verification",
  "modelProvider/authRecoveryStarted",
  "modelProvider/authRecoveryCompleted",
  "turn/moderationMetadata",
  "model/safetyBuffering/updated",
  "fuzzyFileSearch/sessionUpdated",
  "fuzzyFileSearch/sessionCompleted",
  "thread/realtime/started",
  "thread/realtime/itemAdded",
  "thread/realtime/item/started",
  "thread/realtime/item/transcript/delta",
  "thread/realtime/item/completed",
  "thread/realtime/transcript/delta",
  "thread/realtime/transcript/done",
  "thread/realtime/outputAudio/delta",
  "thread/realtime/sdp",
  "thread/realtime/error",
  "thread/realtime/closed",
  "windows/worldWritableWarning",
  "windowsSandbox/setupCompleted",
];
