// Generated from "codex app-server generate-ts --experimental" by npm run generate:protocol. Do not edit.

/**
 * A path that is guaranteed to be absolute and normalized (though it is not
 * guaranteed to be canonicalized or exist on the filesystem).
 *
 * IMPORTANT: When deserializing an `AbsolutePathBuf`, a base path must be set
 * using [AbsolutePathBufGuard::new]. If no base path is set, the
 * deserialization will fail unless the path being deserialized is already
 * absolute.
 */
export type AbsolutePathBuf = string;

export type Account = { "type": "apiKey", } | { "type": "chatgpt", email: string | null, planType: PlanType,
/**
 * Display name of the selected ChatGPT workspace, when available.
 */
workspaceName: string | null, } | { "type": "amazonBedrock", usesCodexManagedCredentials: boolean, } | { "type": "gcp", };

export type AccountLoginCompletedNotification = { loginId: string | null, success: boolean, error: string | null, onboardingEntrypoint: DesktopOnboardingEntrypoint | null, };

/**
 * Sparse rolling rate-limit update.
 *
 * Clients should merge available values into the most recent `account/rateLimits/read` response
 * or refetch that snapshot. Nullable account metadata may be unavailable in a rolling update and
 * does not clear a previously observed value.
 */
export type AccountRateLimitsUpdatedNotification = { rateLimits: RateLimitSnapshot, };

/**
 * Backend routing policy. Wire values match the accounts/check contract.
 */
export type AccountRoutingOverride = "NO_CONSTRAINT" | "us" | "us_cr";

export type AccountUpdateReason = "workspaceRoutingReady" | "unknown";

export type AccountUpdatedNotification = { authMode: AuthMode | null, planType: PlanType | null,
/**
 * Set when initial routing discovery completes for the same authenticated owner.
 */
reason: AccountUpdateReason | null, };

export type ActivePermissionProfile = {
/**
 * Identifier from `default_permissions` or the implicit built-in default,
 * such as `:workspace` or a user-defined `[permissions.<id>]` profile.
 */
id: string,
/**
 * Parent profile identifier from the selected permissions profile's
 * `extends` setting, when present.
 */
extends: string | null, };

export type AdditionalContextEntry = { value: string, kind: AdditionalContextKind,
/**
 * Optional name for untrusted context, used to label its tool output.
 */
name?: string | null, };

export type AdditionalContextKind = "untrusted" | "application";

export type AdditionalFileSystemPermissions = {
/**
 * This will be removed in favor of `entries`.
 */
read: Array<LegacyAppPathString> | null,
/**
 * This will be removed in favor of `entries`.
 */
write: Array<LegacyAppPathString> | null, globScanMaxDepth?: number, entries?: Array<FileSystemSandboxEntry>, };

export type AdditionalNetworkPermissions = { enabled: boolean | null, };

export type AdditionalPermissionProfile = {
/**
 * Partial overlay used for per-command permission requests.
 */
network: AdditionalNetworkPermissions | null, fileSystem: AdditionalFileSystemPermissions | null, };

export type AgentMessageDelivery = "async";

export type AgentMessageDeltaNotification = { threadId: string, turnId: string, itemId: string, delta: string, };

/**
 * How Chat should present a recovered answer.
 */
export type AgentMessageDisplay = { "mode": "show", version: 1, annotation?: AnswerAnnotation, trustedContacts: TrustedContacts, } | { "mode": "hide", version: 1, replacement: AnswerReplacement, } | { "mode": "block", version: 1, reason: BlockReason, };

export type AgentMessageInputContent = { "type": "input_text", text: string, } | { "type": "encrypted_content", encrypted_content: string, };

export type AgentMessageModeration = { moderated: boolean, display: AgentMessageDisplay | null, };

export type AgentPath = string;

export type AllowDenyRequirement = "allow" | "deny";

export type AnalyticsConfig = { enabled: boolean | null, } & ({ [key in string]?: number | string | boolean | Array<JsonValue> | { [key in string]?: JsonValue } | null });

export type AnswerAnnotation = { "kind": "wellbeingHelpline", subject: HelplineSubject, };

export type AnswerReplacement = { "kind": "wellbeingPromptHelpline", };

/**
 * Account settings for a single app.
 */
export type AppLinksConfig = { [key in string]?: { approvals_reviewer: ApprovalsReviewer | null, default_tools_approval_mode: AppToolApproval | null, } };

export type AppToolApproval = "auto" | "prompt" | "writes" | "approve";

export type AppToolsConfig = { [key in string]?: { enabled: boolean | null, approval_mode: AppToolApproval | null, } };

export type ApplyPatchApprovalParams = { conversationId: ThreadId,
/**
 * Use to correlate this with [codex_protocol::protocol::PatchApplyBeginEvent]
 * and [codex_protocol::protocol::PatchApplyEndEvent].
 */
callId: string, fileChanges: { [key in string]?: FileChange },
/**
 * Optional explanatory reason (e.g. request for extra write access).
 */
reason: string | null,
/**
 * When set, the agent is asking the user to allow writes under this root
 * for the remainder of the session (unclear if this is honored today).
 */
grantRoot: string | null, };

export type ApplyPatchApprovalResponse = { decision: ReviewDecision, };

/**
 * Configures who approval requests are routed to for review. Examples
 * include sandbox escapes, blocked network access, MCP approval prompts, and
 * ARC escalations. Defaults to `user`. `auto_review` uses a carefully
 * prompted subagent to gather relevant context and apply a risk-based
 * decision framework before approving or denying the request.
 */
export type ApprovalsReviewer = "user" | "auto_review" | "guardian_subagent";

export type AppsConfig = { _default: AppsDefaultConfig | null, } & ({ [key in string]?: { enabled: boolean,
/**
 * Additional model-facing surfaces omitted for this connector's tools.
 */
omit_tools_from: Array<ToolExposureSurface> | null, approvals_reviewer: ApprovalsReviewer | null, destructive_enabled: boolean | null, open_world_enabled: boolean | null, default_tools_approval_mode: AppToolApproval | null, default_tools_enabled: boolean | null, tools: AppToolsConfig | null,
/**
 * Per-account approval settings keyed by link ID.
 */
links: AppLinksConfig | null, } });

export type AppsDefaultConfig = { enabled: boolean, approvals_reviewer: ApprovalsReviewer | null, destructive_enabled: boolean, open_world_enabled: boolean, default_tools_approval_mode: AppToolApproval | null, };

export type AskForApproval = "untrusted" | "on-request" | { "granular": { sandbox_approval: boolean, rules: boolean, skill_approval: boolean, request_permissions: boolean, mcp_elicitations: boolean, } } | "never";

export type AsyncUserInputQuestion = { title: string, options: Array<string> | null, };

export type AttestationGenerateParams = Record<string, never>;

export type AttestationGenerateResponse = {
/**
 * Opaque client attestation token.
 */
token: string, };

/**
 * Authentication mode for OpenAI-backed providers.
 */
export type AuthMode = "apikey" | "chatgpt" | "chatgptAuthTokens" | "headers" | "agentIdentity" | "personalAccessToken" | "bedrockApiKey" | "bedrockAccessKeys";

/**
 * Selects which part of the active context is charged against
 * `model_auto_compact_token_limit`.
 */
export type AutoCompactTokenLimitScope = "total" | "body_after_prefix";

export type BlockReason = { "kind": "protection",
/**
 * Identifies the same moderation row that Chat writes on the live path.
 */
protectionType: string, } | { "kind": "cyber", trustedAccess?: boolean, };

export type BrowserUseConfig = { allow_history_access: boolean | null, default_origin_policy: BrowserUseOriginPolicyConfig | null, origins: { [key in string]?: BrowserUseOriginPolicyConfig } | null, };

export type BrowserUseOriginPolicyConfig = { access: AllowDenyRequirement | null, downloads: AllowDenyRequirement | null, uploads: AllowDenyRequirement | null, full_cdp_access: AllowDenyRequirement | null, };

export type ByteRange = { start: number, end: number, };

export type CancelLoginAccountParams = { loginId: string, };

export type CancelLoginAccountResponse = { status: CancelLoginAccountStatus, };

export type CancelLoginAccountStatus = "canceled" | "notFound";

/**
 * Location used to resolve a selected capability root.
 */
export type CapabilityRootLocation = { "type": "environment", environmentId: string,
/**
 * Absolute path for the root in the selected environment.
 */
path: string, };

export type ChatgptAuthTokensRefreshParams = { reason: ChatgptAuthTokensRefreshReason,
/**
 * Workspace/account identifier that Codex was previously using.
 *
 * Clients that manage multiple accounts/workspaces can use this as a hint
 * to refresh the token for the correct workspace.
 *
 * This may be `null` when the prior auth state did not include a workspace
 * identifier (`chatgpt_account_id`).
 */
previousAccountId?: string | null, };

export type ChatgptAuthTokensRefreshReason = "unauthorized";

export type ChatgptAuthTokensRefreshResponse = { accessToken: string, chatgptAccountId: string, chatgptPlanType: string | null, };

export type ClientInfo = { name: string, title: string | null, version: string, };

/**
 * This translation layer make sure that we expose codex error code in camel case.
 *
 * When an upstream HTTP status is available (for example, from the Responses API or a provider),
 * it is forwarded in `httpStatusCode` on the relevant `codexErrorInfo` variant.
 */
export type CodexErrorInfo = "contextWindowExceeded" | "sessionBudgetExceeded" | "usageLimitExceeded" | "rateLimitExceeded" | "flexUnavailable" | "serverOverloaded" | "modelNotFound" | "policyCapacityUnavailable" | "inferenceHookDenied" | "cyberPolicy" | "bioPolicy" | "misalignmentPolicyViolation" | "tooManyDenials" | { "httpConnectionFailed": { httpStatusCode: number | null, } } | { "responseStreamConnectionFailed": { httpStatusCode: number | null, } } | "internalServerError" | "unauthorized" | "badRequest" | "threadRollbackFailed" | "sandboxError" | { "responseStreamDisconnected": { httpStatusCode: number | null, } } | { "responseTooManyFailedAttempts": { httpStatusCode: number | null, } } | { "activeTurnNotSteerable": { turnKind: NonSteerableTurnKind, } } | "other" | string | { [key: string]: unknown };

export type CollabAgentState = { status: CollabAgentStatus, message: string | null, };

export type CollabAgentStatus = "pendingInit" | "running" | "interrupted" | "completed" | "errored" | "shutdown" | "notFound";

export type CollabAgentTool = "spawnAgent" | "sendInput" | "resumeAgent" | "wait" | "closeAgent" | "sendMessage" | "followupTask" | "interruptAgent" | "listAgents";

export type CollabAgentToolCallStatus = "inProgress" | "completed" | "failed" | "interrupted";

/**
 * Collaboration mode for a Codex session.
 */
export type CollaborationMode = { mode: ModeKind, settings: Settings, };

export type CommandAction = { "type": "read", command: string, name: string, path: LegacyAppPathString, } | { "type": "listFiles", command: string, path: string | null, } | { "type": "search", command: string, query: string | null, path: string | null, } | { "type": "unknown", command: string, };

export type CommandExecutionApprovalDecision = "accept" | "acceptForSession" | { "acceptWithExecpolicyAmendment": { execpolicy_amendment: ExecPolicyAmendment, } } | { "applyNetworkPolicyAmendment": { network_policy_amendment: NetworkPolicyAmendment, } } | "decline" | "cancel";

/**
 * Distinguishes a command approval from input sent to an existing terminal.
 */
export type CommandExecutionApprovalKind = "command" | "humanCommand" | "writeStdin";

export type CommandExecutionOutputDeltaNotification = { threadId: string, turnId: string, itemId: string, delta: string, };

export type CommandExecutionRequestApprovalParams = {
/**
 * Kind of action under review. Defaults to `command` for older servers.
 */
kind: CommandExecutionApprovalKind, threadId: string, turnId: string, itemId: string,
/**
 * Unix timestamp (in milliseconds) when this approval request started.
 */
startedAtMs: number,
/**
 * Unique identifier for this specific approval callback.
 *
 * For regular shell/unified_exec approvals, this is null.
 *
 * For zsh-exec-bridge subcommand approvals, multiple callbacks can belong to
 * one parent `itemId`, so `approvalId` is a distinct opaque callback id
 * (a UUID) used to disambiguate routing.
 * Stdin approvals also use a distinct callback id; inspect `kind` to distinguish them.
 */
approvalId?: string | null,
/**
 * Environment in which the command will run.
 */
environmentId: string | null,
/**
 * Optional explanatory reason (e.g. request for network access).
 */
reason?: string | null,
/**
 * Optional context for a managed-network approval prompt.
 */
networkApprovalContext?: NetworkApprovalContext | null,
/**
 * The command to be executed.
 */
command?: string | null,
/**
 * The command's working directory.
 */
cwd?: LegacyAppPathString | null,
/**
 * Best-effort parsed command actions for friendly display.
 */
commandActions?: Array<CommandAction> | null,
/**
 * Optional additional permissions requested for this command.
 */
additionalPermissions?: AdditionalPermissionProfile | null,
/**
 * Optional proposed execpolicy amendment to allow similar commands without prompting.
 */
proposedExecpolicyAmendment?: ExecPolicyAmendment | null,
/**
 * Optional proposed network policy amendments (allow/deny host) for future requests.
 */
proposedNetworkPolicyAmendments?: Array<NetworkPolicyAmendment> | null,
/**
 * Ordered list of decisions the client may present for this prompt.
 */
availableDecisions?: Array<CommandExecutionApprovalDecision> | null, };

export type CommandExecutionRequestApprovalResponse = { decision: CommandExecutionApprovalDecision, };

export type CommandExecutionSource = "agent" | "userShell" | "unifiedExecStartup" | "unifiedExecInteraction";

export type CommandExecutionStatus = "inProgress" | "completed" | "failed" | "declined";

export type ComputerUseConfig = { default_app_access: AllowDenyRequirement | null, macos: ComputerUseMacosConfig | null, windows: ComputerUseWindowsConfig | null, };

export type ComputerUseMacosConfig = { bundle_ids: { [key in string]?: AllowDenyRequirement } | null, };

export type ComputerUseWindowsConfig = { aumids: { [key in string]?: AllowDenyRequirement } | null, exes: Array<ComputerUseWindowsExeConfig> | null, };

export type ComputerUseWindowsExeConfig = { publisher_name: string, product_name: string, binary_name: string | null, access: AllowDenyRequirement, };

export type Config = { model: string | null, review_model: string | null, model_context_window: bigint | null, model_auto_compact_token_limit: bigint | null, model_auto_compact_token_limit_scope: AutoCompactTokenLimitScope | null, model_provider: string | null, approval_policy: AskForApproval | null,
/**
 * [UNSTABLE] Optional default for where approval requests are routed for
 * review.
 */
approvals_reviewer: ApprovalsReviewer | null, sandbox_mode: SandboxMode | null, sandbox_workspace_write: SandboxWorkspaceWrite | null, forced_chatgpt_workspace_id: ForcedChatgptWorkspaceIds | null, forced_login_method: ForcedLoginMethod | null, web_search: WebSearchMode | null,
/**
 * Effective tools.client_search_provider hint. Model-selected providers take precedence.
 */
client_search_provider: WebSearchProvider | null, tools: ToolsV2 | null, instructions: string | null, developer_instructions: string | null, compact_prompt: string | null, model_reasoning_effort: ReasoningEffort | null, model_reasoning_summary: ReasoningSummary | null, model_verbosity: Verbosity | null, service_tier: string | null, analytics: AnalyticsConfig | null, apps: AppsConfig | null, browser_use: BrowserUseConfig | null, computer_use: ComputerUseConfig | null, desktop: { [key in string]?: JsonValue } | null, } & ({ [key in string]?: number | string | boolean | Array<JsonValue> | { [key in string]?: JsonValue } | null });

export type ConfigLayer = { name: ConfigLayerSource, version: string, config: JsonValue, disabledReason: string | null, };

export type ConfigLayerMetadata = { name: ConfigLayerSource, version: string, };

export type ConfigLayerSource = { "type": "packagedDefaults",
/**
 * Path to the packaged default configuration file.
 */
file: AbsolutePathBuf, } | { "type": "mdm", domain: string, key: string, } | { "type": "system",
/**
 * This is the path to the system config.toml file, though it is not
 * guaranteed to exist.
 */
file: AbsolutePathBuf, } | { "type": "enterpriseManaged",
/**
 * Stable identifier for the delivered layer.
 */
id: string,
/**
 * Admin-facing name for the delivered layer. This is surfaced in
 * diagnostics so users know which cloud layer needs administrator
 * attention.
 */
name: string, } | { "type": "user",
/**
 * This is the path to the user's config.toml file, though it is not
 * guaranteed to exist.
 */
file: AbsolutePathBuf,
/**
 * Name of the selected profile-v2 config layered on top of the base
 * user config, when this layer represents one.
 */
profile: string | null, } | { "type": "project", dotCodexFolder: AbsolutePathBuf, } | { "type": "sessionFlags" } | { "type": "legacyManagedConfigTomlFromFile", file: AbsolutePathBuf, } | { "type": "legacyManagedConfigTomlFromMdm" };

export type ConfigReadParams = { includeLayers?: boolean,
/**
 * Optional working directory to resolve project config layers. If specified,
 * return the effective config as seen from that directory (i.e., including any
 * project layers between `cwd` and the project/repo root).
 */
cwd?: string | null, };

export type ConfigReadResponse = { config: Config, origins: { [key in string]?: ConfigLayerMetadata }, layers: Array<ConfigLayer> | null, };

export type ConfigWarningNotification = {
/**
 * Concise summary of the warning.
 */
summary: string,
/**
 * Optional extra guidance or error details.
 */
details: string | null,
/**
 * Optional path to the config file that triggered the warning.
 */
path?: string,
/**
 * Optional range for the error location inside the config file.
 */
range?: TextRange, };

/**
 * Reasoning settings interpreted by the backend for the routed model.
 */
export type ConfigurationReasoning = { effort: ReasoningEffort, };

export type ContentItem = { "type": "input_text", text: string, } | { "type": "input_image", detail?: ImageDetail, } & ({ image_url: string, } | { file_id: string, }) | { "type": "input_audio", } & ({ audio_url: string, } | { file_id: string, }) | { "type": "output_text", text: string, annotations?: unknown[], logprobs?: unknown[], };

/**
 * Deprecated: Use `ContextCompaction` item type instead.
 */
export type ContextCompactedNotification = { threadId: string, turnId: string, };

export type CreditsSnapshot = { hasCredits: boolean, unlimited: boolean, balance: string | null, };

/**
 * Requested cyber treatment for an OpenAI model turn.
 * Authorization and model-tier restrictions remain server-owned.
 */
export type CyberAccessProgram = "standard" | "daybreakBlue" | "daybreakRed";

export type DeprecationNoticeNotification = {
/**
 * Concise summary of what is deprecated.
 */
summary: string,
/**
 * Optional extra guidance, such as migration steps or rationale.
 */
details: string | null, };

export type DesktopOnboardingEntrypoint = "life_sciences";

export type DynamicToolCallOutputContentItem = { "type": "inputText", text: string, } | { "type": "inputImage", imageUrl: string, } | { "type": "inputAudio", audioUrl: string, };

export type DynamicToolCallParams = { threadId: string, turnId: string, callId: string, namespace: string | null, tool: string, arguments: JsonValue, };

export type DynamicToolCallResponse = { contentItems: Array<DynamicToolCallOutputContentItem>, success: boolean, };

export type DynamicToolCallStatus = "inProgress" | "completed" | "failed";

export type DynamicToolFunctionSpec = { name: string, description: string, inputSchema: JsonValue, deferLoading?: boolean, };

export type DynamicToolNamespaceSpec = { name: string, description: string, tools: Array<DynamicToolNamespaceTool>, };

export type DynamicToolNamespaceTool = { "type": "function" } & DynamicToolFunctionSpec;

export type DynamicToolSpec = { "type": "function" } & DynamicToolFunctionSpec | { "type": "namespace" } & DynamicToolNamespaceSpec;

export type ErrorNotification = { error: TurnError, willRetry: boolean, threadId: string, turnId: string, };

export type ExecCommandApprovalParams = { conversationId: ThreadId,
/**
 * Use to correlate this with [codex_protocol::protocol::ExecCommandBeginEvent]
 * and [codex_protocol::protocol::ExecCommandEndEvent].
 */
callId: string,
/**
 * Identifier for this specific approval callback.
 */
approvalId: string | null, command: Array<string>, cwd: string, reason: string | null, parsedCmd: Array<ParsedCommand>, };

export type ExecCommandApprovalResponse = { decision: ReviewDecision, };

export type ExecPolicyAmendment = Array<string>;

export type FileChange = { "type": "add", content: string, } | { "type": "delete", content: string, } | { "type": "update", unified_diff: string, move_path: string | null, };

export type FileChangeApprovalDecision = "accept" | "acceptForSession" | "decline" | "cancel";

export type FileChangePatchUpdatedNotification = { threadId: string, turnId: string, itemId: string, changes: Array<FileUpdateChange>, };

export type FileChangeRequestApprovalParams = { threadId: string, turnId: string, itemId: string,
/**
 * Unix timestamp (in milliseconds) when this approval request started.
 */
startedAtMs: number,
/**
 * Optional explanatory reason (e.g. request for extra write access).
 */
reason?: string | null,
/**
 * [UNSTABLE] When set, the agent is asking the user to allow writes under this root
 * for the remainder of the session (unclear if this is honored today).
 */
grantRoot?: string | null, };

export type FileChangeRequestApprovalResponse = { decision: FileChangeApprovalDecision, };

export type FileSystemAccessMode = "read" | "write" | "deny";

export type FileSystemPath = { "type": "path", path: LegacyAppPathString, } | { "type": "glob_pattern", pattern: string, } | { "type": "special", value: FileSystemSpecialPath, };

export type FileSystemSandboxEntry = { path: FileSystemPath, access: FileSystemAccessMode, };

export type FileSystemSpecialPath = { "kind": "root" } | { "kind": "minimal" } | { "kind": "project_roots", subpath: LegacyAppPathString | null, } | { "kind": "tmpdir" } | { "kind": "slash_tmp" } | { "kind": "unknown", path: string, subpath: LegacyAppPathString | null, };

export type FileUpdateChange = { path: string, kind: PatchChangeKind, diff: string, };

/**
 * Backward-compatible API shape for ChatGPT workspace login restrictions.
 */
export type ForcedChatgptWorkspaceIds = string | Array<string>;

export type ForcedLoginMethod = "chatgpt" | "api";

/**
 * Copy a file or directory tree on the host filesystem.
 */
export type FsCopyParams = {
/**
 * Absolute source path.
 */
sourcePath: AbsolutePathBuf,
/**
 * Absolute destination path.
 */
destinationPath: AbsolutePathBuf,
/**
 * Required for directory copies; ignored for file copies.
 */
recursive?: boolean, };

/**
 * Successful response for `fs/copy`.
 */
export type FsCopyResponse = Record<string, never>;

/**
 * Create a directory on the host filesystem.
 */
export type FsCreateDirectoryParams = {
/**
 * Absolute directory path to create.
 */
path: AbsolutePathBuf,
/**
 * Whether parent directories should also be created. Defaults to `true`.
 */
recursive?: boolean | null, };

/**
 * Successful response for `fs/createDirectory`.
 */
export type FsCreateDirectoryResponse = Record<string, never>;

/**
 * Request metadata for an absolute path.
 */
export type FsGetMetadataParams = {
/**
 * Absolute path to inspect.
 */
path: AbsolutePathBuf, };

/**
 * Metadata returned by `fs/getMetadata`.
 */
export type FsGetMetadataResponse = {
/**
 * Whether the path resolves to a directory.
 */
isDirectory: boolean,
/**
 * Whether the path resolves to a regular file.
 */
isFile: boolean,
/**
 * Whether the path itself is a symbolic link.
 */
isSymlink: boolean,
/**
 * File creation time in Unix milliseconds when available, otherwise `0`.
 */
createdAtMs: number,
/**
 * File modification time in Unix milliseconds when available, otherwise `0`.
 */
modifiedAtMs: number, };

/**
 * A directory entry returned by `fs/readDirectory`.
 */
export type FsReadDirectoryEntry = {
/**
 * Direct child entry name only, not an absolute or relative path.
 */
fileName: string,
/**
 * Whether this entry resolves to a directory.
 */
isDirectory: boolean,
/**
 * Whether this entry resolves to a regular file.
 */
isFile: boolean, };

/**
 * List direct child names for a directory.
 */
export type FsReadDirectoryParams = {
/**
 * Absolute directory path to read.
 */
path: AbsolutePathBuf, };

/**
 * Directory entries returned by `fs/readDirectory`.
 */
export type FsReadDirectoryResponse = {
/**
 * Direct child entries in the requested directory.
 */
entries: Array<FsReadDirectoryEntry>, };

/**
 * Read a file from the host filesystem.
 */
export type FsReadFileParams = {
/**
 * Absolute path to read.
 */
path: AbsolutePathBuf, };

/**
 * Base64-encoded file contents returned by `fs/readFile`.
 */
export type FsReadFileResponse = {
/**
 * File contents encoded as base64.
 */
dataBase64: string, };

/**
 * Remove a file or directory tree from the host filesystem.
 */
export type FsRemoveParams = {
/**
 * Absolute path to remove.
 */
path: AbsolutePathBuf,
/**
 * Whether directory removal should recurse. Defaults to `true`.
 */
recursive?: boolean | null,
/**
 * Whether missing paths should be ignored. Defaults to `true`.
 */
force?: boolean | null, };

/**
 * Successful response for `fs/remove`.
 */
export type FsRemoveResponse = Record<string, never>;

/**
 * Write a file on the host filesystem.
 */
export type FsWriteFileParams = {
/**
 * Absolute path to write.
 */
path: AbsolutePathBuf,
/**
 * File contents encoded as base64.
 */
dataBase64: string, };

/**
 * Successful response for `fs/writeFile`.
 */
export type FsWriteFileResponse = Record<string, never>;

export type FunctionCallOutputBody = string | Array<FunctionCallOutputContentItem>;

/**
 * Responses API compatible content items that can be returned by a tool call.
 * This is a subset of ContentItem with the types we support as function call outputs.
 */
export type FunctionCallOutputContentItem = { "type": "input_text", text: string, } | { "type": "input_image", detail?: ImageDetail, } & ({ image_url: string, } | { file_id: string, }) | { "type": "input_audio", } & ({ audio_url: string, } | { file_id: string, }) | { "type": "encrypted_content", encrypted_content: string, };

export type GetAccountParams = {
/**
 * When `true`, requests a proactive token refresh before returning.
 *
 * In managed auth mode this triggers the normal refresh-token flow. In
 * external auth mode this flag is ignored. Clients should refresh tokens
 * themselves and call `account/login/start` with `chatgptAuthTokens`.
 */
refreshToken?: boolean, };

/**
 * Usage-read capabilities of the requesting client, never inferred from its experiment arm.
 */
export type GetAccountRateLimitsParams = {
/**
 * The client supports automatic Luna Reserve fallback. For eligible ChatGPT CLI users,
 * allow the backend to record experiment exposure after ordinary usage is blocked.
 */
supportsLunaReserve?: boolean,
/**
 * Skip the separate reset-credit detail lookup for background usage polls. The usage
 * response still includes the available count; omitted/false preserves detailed reads.
 */
excludeResetCreditDetails?: boolean, };

export type GetAccountRateLimitsResponse = {
/**
 * Backend permission for ordinary included usage, validated against the active account.
 * Null means unavailable; clients must not infer recovery from percentages or reset times.
 */
ordinaryUsageAllowed: boolean | null,
/**
 * Backward-compatible single-bucket view; mirrors the historical payload.
 */
rateLimits: RateLimitSnapshot,
/**
 * Multi-bucket view keyed by metered `limit_id` (for example, `codex`).
 */
rateLimitsByLimitId: { [key in string]?: RateLimitSnapshot } | null, rateLimitResetCredits: RateLimitResetCreditsSummary | null,
/**
 * Account associated with this usage snapshot, when supplied by the backend.
 */
accountId: string | null,
/**
 * Optional backend-owned banner from the same usage read. Its nested keys retain the
 * backend's snake_case contract; an absent banner leaves the client's existing UI unchanged.
 */
rateLimitUpsell: JsonValue | null, };

export type GetAccountResponse = { account: Account | null,
/**
 * ChatGPT user ID belonging to this account response, when available.
 */
userId: string | null, requiresOpenaiAuth: boolean, workspaceRouting: WorkspaceRouting | null, };

export type GitInfo = { sha: string | null, branch: string | null, originUrl: string | null, };

export type GrantedPermissionProfile = { network?: AdditionalNetworkPermissions, fileSystem?: AdditionalFileSystemPermissions, };

export type GuardianWarningNotification = {
/**
 * Thread target for the guardian warning.
 */
threadId: string,
/**
 * Concise guardian warning message for the user.
 */
message: string, };

export type HelplineSubject = "answer" | "prompt";

export type HookPromptFragment = { text: string, hookRunId: string, };

export type ImageDetail = "auto" | "low" | "high" | "original";

export type ImageGenerationFailure = { "type": "usageLimitExceeded", limitId: string, resetsAt: number | null, };

/**
 * A local image file successfully read for this exact image-generation request.
 */
export type ImageGenerationInputImage = { path: AbsolutePathBuf,
/**
 * Lowercase SHA-256 of the file bytes read before image normalization.
 */
sha256: string, };

export type ImageGenerationItem = { id: string, status: string, revisedPrompt: string | null, transparentBackground?: boolean, failure: ImageGenerationFailure | null, savedPath?: AbsolutePathBuf,
/**
 * Observed local inputs for a completed generation, absent on older items.
 */
inputImages?: Array<ImageGenerationInputImage>,
/**
 * Image generation identifier for the generated image, when provided by the image backend.
 */
generationId: string | null, } & ({ fileId: string, } | { result: string, });

/**
 * Client-declared capabilities negotiated during initialize.
 */
export type InitializeCapabilities = {
/**
 * Present `humanCommand` approvals to a person and return only a one-time decision.
 * Requires `experimentalApi`. Pending requests can be replayed to compatible clients.
 */
requiredHumanApproval?: boolean,
/**
 * Use explicit gateway OAuth login instead of automatic browser authorization.
 * Applies to this app-server's gateway runtime; later connections cannot undo it.
 */
explicitGatewayOauth?: boolean,
/**
 * Opt into receiving experimental API methods and fields.
 */
experimentalApi: boolean,
/**
 * Opt into `attestation/generate` requests for upstream `x-oai-attestation`.
 */
requestAttestation: boolean,
/**
 * Legacy opt-in for the `openai/form` MCP extension.
 *
 * New clients should declare `openai/form` in [`Self::extensions`].
 */
mcpServerOpenaiFormElicitation?: boolean,
/**
 * Exact notification method names that should be suppressed for this
 * connection (for example `thread/started`).
 */
optOutNotificationMethods?: Array<string> | null,
/**
 * MCP extension settings declared by the app-server client.
 */
extensions?: { [key in string]?: JsonValue } | null, };

export type InitializeParams = { clientInfo: ClientInfo, capabilities: InitializeCapabilities | null, };

export type InitializeResponse = { userAgent: string,
/**
 * Absolute path to the server's $CODEX_HOME directory.
 */
codexHome: AbsolutePathBuf,
/**
 * Platform family for the running app-server target, for example
 * `"unix"` or `"windows"`.
 */
platformFamily: string,
/**
 * Operating system for the running app-server target, for example
 * `"macos"`, `"linux"`, or `"windows"`.
 */
platformOs: string, };

/**
 * Canonical user-input modality tags advertised by a model.
 */
export type InputModality = "text" | "image" | "audio";

/**
 * Internal Responses API passthrough metadata copied into underlying chat messages.
 *
 * Responses API strongly types this payload. Do not modify it without first getting API
 * approval and making the corresponding Responses API change.
 */
export type InternalChatMessageMetadataPassthrough = { turn_id?: string, };

export type ItemCompletedNotification = { item: ThreadItem, threadId: string, turnId: string,
/**
 * Native content tokens for the completed assistant message, including a sampled footer.
 * Null when unavailable. Completion telemetry is not part of the stored thread item.
 */
contentTokenCount?: number | null,
/**
 * Unix timestamp (in milliseconds) when this item lifecycle completed.
 */
completedAtMs: number, };

export type ItemStartedNotification = { item: ThreadItem, threadId: string, turnId: string,
/**
 * Unix timestamp (in milliseconds) when this item lifecycle started.
 */
startedAtMs: number, };

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]?: JsonValue } | null;

/**
 * A UTF-8 path for preserving raw path compatibility at the app-server API
 * boundary while Codex migrates to [`PathUri`].
 *
 * Supports storing arbitrary strings read from the API and converting to and
 * from [`PathUri`] using an explicitly selected native path convention.
 *
 * When converting from [`PathUri`], "native" refers to the supplied
 * [`PathConvention`], which may be foreign to the operating system running
 * this process. The inner string is private so path-producing code must use a
 * path conversion method instead of bypassing the intended conversion
 * boundary. Non-UTF-8 paths are converted to UTF-8 lossily because this API
 * value is serialized as a JSON string.
 *
 * Deserialization and [`Self::from_string`] accept any UTF-8 string without
 * interpreting or validating it. Use [`Self::from_string`] when a caller
 * already owns legacy app-server path text and needs to preserve its wire
 * spelling; use [`Self::from_path`], [`Self::from_abs_path`], or
 * [`Self::from_path_uri`] when converting an actual path value. Relative
 * path text remains valid until an operation such as [`Self::to_path_uri`]
 * requires an absolute path.
 */
export type LegacyAppPathString = string;

export type ListMcpServerStatusParams = {
/**
 * Opaque pagination cursor returned by a previous call.
 */
cursor?: string | null,
/**
 * Optional page size; defaults to a server-defined value.
 */
limit?: number | null,
/**
 * Controls how much MCP inventory data to fetch for each server.
 * Defaults to `Full` when omitted.
 */
detail?: McpServerStatusDetail | null, threadId?: string | null,
/**
 * Limit discovery to one server. With a thread ID, reuse that thread's MCP connection.
 */
serverName?: string | null,
/**
 * Select this environment's registration. Requires `serverName` and `threadId`.
 * When omitted, a named request uses the same server as older clients.
 */
environmentId?: string | null, };

export type ListMcpServerStatusResponse = { data: Array<McpServerStatus>,
/**
 * Opaque cursor to pass to the next call to continue after the last item.
 * If None, there are no more items to return.
 */
nextCursor: string | null, };

export type LocalShellAction = { "type": "exec" } & LocalShellExecAction;

export type LocalShellExecAction = { command: Array<string>, timeout_ms: bigint | null, working_directory: string | null, env: { [key in string]?: string } | null, user: string | null, };

export type LocalShellStatus = "completed" | "in_progress" | "incomplete";

export type LoginAccountParams = { "type": "apiKey", apiKey: string, } | { "type": "chatgpt", codexStreamlinedLogin?: boolean, useHostedLoginSuccessPage?: boolean, appBrand?: LoginAppBrand | null, } | { "type": "chatgptDeviceCode" } | { "type": "chatgptAuthTokens",
/**
 * Access token (JWT) supplied by the client.
 * This token is used for backend API requests and email extraction.
 */
accessToken: string,
/**
 * Workspace/account identifier supplied by the client.
 */
chatgptAccountId: string,
/**
 * Optional plan type supplied by the client.
 *
 * When `null`, Codex attempts to derive the plan type from access-token
 * claims. If unavailable, the plan defaults to `unknown`.
 */
chatgptPlanType?: string | null, } | { "type": "amazonBedrock", apiKey: string, region: string, } | { "type": "amazonBedrockAccessKeys", accessKeyId: string, secretAccessKey: string, sessionToken?: string | null, region: string, };

export type LoginAccountResponse = { "type": "apiKey", } | { "type": "chatgpt", loginId: string,
/**
 * URL the client should open in a browser to initiate the OAuth flow.
 */
authUrl: string, } | { "type": "chatgptDeviceCode", loginId: string,
/**
 * URL the client should open in a browser to complete device code authorization.
 */
verificationUrl: string,
/**
 * One-time code the user must enter after signing in.
 */
userCode: string, } | { "type": "chatgptAuthTokens", } | { "type": "amazonBedrock", };

export type LoginAppBrand = "codex" | "chatgpt";

export type LogoutAccountResponse = Record<string, never>;

export type McpAppDisplayMode = "inline" | "fullscreen";

/**
 * UI resource and display preference for model invocations, captured from the tool descriptor.
 */
export type McpAppUi = { resourceUri: string, preferredModelDisplayMode: McpAppDisplayMode, };

export type McpAuthStatus = "unknown" | "unsupported" | "notLoggedIn" | "bearerToken" | "oAuth";

export type McpElicitationArrayType = "array";

export type McpElicitationBooleanSchema = { type: McpElicitationBooleanType, title?: string, description?: string, default?: boolean, };

export type McpElicitationBooleanType = "boolean";

export type McpElicitationConstOption = { const: string, title: string, };

export type McpElicitationEnumSchema = McpElicitationSingleSelectEnumSchema | McpElicitationMultiSelectEnumSchema | McpElicitationLegacyTitledEnumSchema;

export type McpElicitationLegacyTitledEnumSchema = { type: McpElicitationStringType, title?: string, description?: string, enum: Array<string>, enumNames?: Array<string>, default?: string, };

export type McpElicitationMultiSelectEnumSchema = McpElicitationUntitledMultiSelectEnumSchema | McpElicitationTitledMultiSelectEnumSchema;

export type McpElicitationNumberSchema = { type: McpElicitationNumberType, title?: string, description?: string, minimum?: number, maximum?: number, default?: number, };

export type McpElicitationNumberType = "number" | "integer";

export type McpElicitationObjectType = "object";

export type McpElicitationPrimitiveSchema = McpElicitationEnumSchema | McpElicitationStringSchema | McpElicitationNumberSchema | McpElicitationBooleanSchema;

/**
 * Typed form schema for MCP `elicitation/create` requests.
 *
 * This matches the `requestedSchema` shape from the MCP 2025-11-25
 * `ElicitRequestFormParams` schema.
 */
export type McpElicitationSchema = { $schema?: string, type: McpElicitationObjectType, properties: { [key in string]?: McpElicitationPrimitiveSchema }, required?: Array<string>, };

export type McpElicitationSingleSelectEnumSchema = McpElicitationUntitledSingleSelectEnumSchema | McpElicitationTitledSingleSelectEnumSchema;

export type McpElicitationStringFormat = "email" | "uri" | "date" | "date-time";

export type McpElicitationStringSchema = { type: McpElicitationStringType, title?: string, description?: string, minLength?: number, maxLength?: number, format?: McpElicitationStringFormat, default?: string, };

export type McpElicitationStringType = "string";

export type McpElicitationTitledEnumItems = { anyOf: Array<McpElicitationConstOption>, };

export type McpElicitationTitledMultiSelectEnumSchema = { type: McpElicitationArrayType, title?: string, description?: string, minItems?: bigint, maxItems?: bigint, items: McpElicitationTitledEnumItems, default?: Array<string>, };

export type McpElicitationTitledSingleSelectEnumSchema = { type: McpElicitationStringType, title?: string, description?: string, oneOf: Array<McpElicitationConstOption>, default?: string, };

export type McpElicitationUntitledEnumItems = { type: McpElicitationStringType, enum: Array<string>, };

export type McpElicitationUntitledMultiSelectEnumSchema = { type: McpElicitationArrayType, title?: string, description?: string, minItems?: bigint, maxItems?: bigint, items: McpElicitationUntitledEnumItems, default?: Array<string>, };

export type McpElicitationUntitledSingleSelectEnumSchema = { type: McpElicitationStringType, title?: string, description?: string, enum: Array<string>, default?: string, };

export type McpServerConnectionStatus = "notStarted" | "starting" | "connected" | "authenticationRequired" | "failed" | "cancelled" | "disabled";

export type McpServerElicitationAction = "accept" | "decline" | "cancel";

export type McpServerElicitationRequestParams = { threadId: string,
/**
 * Active Codex turn when this elicitation was observed, if app-server could correlate one.
 *
 * This is nullable because MCP models elicitation as a standalone server-to-client request
 * identified by the MCP server request id. It may be triggered during a turn, but turn
 * context is app-server correlation rather than part of the protocol identity of the
 * elicitation itself.
 */
turnId: string | null, serverName: string,
/**
 * Registration scope, not necessarily the server's execution environment.
 */
environmentId: string | null, } & ({ "mode": "openai/userVerification", _meta: JsonValue | null, title: string, description: string, challenge: string, } | { "mode": "form", _meta: JsonValue | null, message: string, requestedSchema: McpElicitationSchema, } | { "mode": "openai/form", _meta: JsonValue | null, message: string, requestedSchema: JsonValue, } | { "mode": "openaiForm", _meta: JsonValue | null, message: string, requestedSchema: JsonValue, } | { "mode": "url", _meta: JsonValue | null, message: string, url: string, elicitationId: string, });

export type McpServerElicitationRequestResponse = { action: McpServerElicitationAction,
/**
 * Structured user input for accepted elicitations, mirroring RMCP `CreateElicitationResult`.
 *
 * This is nullable because decline/cancel responses have no content.
 */
content: JsonValue | null,
/**
 * Optional client metadata for form-mode action handling.
 */
_meta: JsonValue | null, };

/**
 * Presentation metadata advertised by an initialized MCP server.
 */
export type McpServerInfo = { name: string, title: string | null, version: string, description: string | null, icons: Array<JsonValue> | null, websiteUrl: string | null, };

export type McpServerOauthClientRegistration = "auto" | "cimd" | "dcr";

export type McpServerOauthLoginCompletedNotification = { name: string, threadId: string | null,
/**
 * Identifies the explicit login attempt. Older servers omit this field.
 */
loginId?: string | null, success: boolean, error?: string, };

export type McpServerOauthLoginParams = { name: string,
/**
 * Exact registration scope; omission preserves legacy name-only selection.
 */
environmentId?: string | null, threadId?: string | null,
/**
 * Registration strategy for this login only; omission selects automatic discovery.
 */
clientRegistration?: McpServerOauthClientRegistration | null, scopes?: Array<string> | null, timeoutSecs?: bigint | null, };

export type McpServerOauthLoginResponse = { authorizationUrl: string,
/**
 * Identifies this login attempt across the response and completion notification.
 * Older servers omit this field; current servers always return it.
 */
loginId?: string, };

export type McpServerRefreshResponse = Record<string, never>;

export type McpServerStartupFailureReason = "reauthenticationRequired";

export type McpServerStartupState = "starting" | "ready" | "failed" | "cancelled";

export type McpServerStatus = { name: string,
/**
 * Environment that contributed this registration; null for a thread-wide server.
 * Older servers omit this field.
 */
environmentId?: string | null,
/**
 * Current thread-runtime connection state; null when unavailable or the configuration changed.
 */
runtimeStatus: McpServerConnectionStatus | null, pluginId: string | null,
/**
 * HTTP origin of the effective configured endpoint, including plugin servers.
 * Excludes credentials, path, query, and fragment; null for non-HTTP transports.
 */
httpOrigin: string | null, serverInfo: McpServerInfo | null,
/**
 * Capabilities advertised by the initialized MCP server; null when unavailable.
 */
serverCapabilities: JsonValue | null,
/**
 * Opaque `_meta` from the first page of the corresponding MCP tool catalog. Null when unavailable.
 */
toolListMeta: JsonValue | null, tools: { [key in string]?: Tool },
/**
 * Tool discovery failed and no catalog was returned.
 * Null when a catalog is returned, including cached or empty catalogs.
 */
toolsError: string | null, resources: Array<Resource>, resourceTemplates: Array<ResourceTemplate>, authStatus: McpAuthStatus, };

export type McpServerStatusDetail = "full" | "toolsAndAuthOnly";

export type McpServerStatusUpdatedNotification = { threadId: string | null, name: string,
/**
 * Registration scope, not necessarily the server's execution environment.
 */
environmentId: string | null, status: McpServerStartupState, error: string | null, failureReason: McpServerStartupFailureReason | null, };

export type McpToolCallAppContext = { connectorId: string, linkId: string | null, resourceUri: string | null, appName: string | null, actionName: string | null, };

export type McpToolCallError = { message: string, };

export type McpToolCallProgressNotification = { threadId: string, turnId: string, itemId: string, message: string, };

export type McpToolCallResult = { content: Array<JsonValue>, structuredContent: JsonValue | null, _meta: JsonValue | null, };

export type McpToolCallStatus = "inProgress" | "completed" | "failed";

export type MemoryCitation = { entries: Array<MemoryCitationEntry>, threadIds: Array<string>, };

export type MemoryCitationEntry = { path: string, lineStart: number, lineEnd: number, note: string, };

/**
 * Classifies assistant text as commentary, a partial answer, or a terminal answer.
 *
 * Providers do not emit this consistently, so callers must treat `None` as
 * "phase unknown" and keep compatibility behavior for legacy models.
 */
export type MessagePhase = "commentary" | "partial_answer" | "final_answer";

export type MisalignmentErrorDetails = {
/**
 * Open-ended classification; clients must accept categories added by Responses.
 */
errorType: string | null,
/**
 * A substantive localized explanation is required before offering continuation.
 */
detailedExplanation: string | null,
/**
 * Instruction to submit as the next turn's user input if continuation is confirmed.
 */
steer: MisalignmentSteer | null,
/**
 * Opaque server-issued block target. Presence alone does not enable target-based continuation.
 */
reviewTarget?: string | null, };

export type MisalignmentSteer = { message: string, };

/**
 * Initial collaboration mode to use when the TUI starts.
 */
export type ModeKind = "plan" | "default";

export type Model = { id: string, model: string, upgrade: string | null, upgradeInfo: ModelUpgradeInfo | null, availabilityNux: ModelAvailabilityNux | null, displayName: string, description: string, modelSpecialty: string | null, hidden: boolean, supportedReasoningEfforts: Array<ReasoningEffortOption>, defaultReasoningEffort: ReasoningEffort, inputModalities: Array<InputModality>,
/**
 * @deprecated Always false; models no longer support personality selection.
 */
supportsPersonality: boolean,
/**
 * Multi-agent runtime declared by this model, when available.
 */
multiAgentVersion: MultiAgentVersion | null,
/**
 * Deprecated: use `serviceTiers` instead.
 */
additionalSpeedTiers: Array<string>, serviceTiers: Array<ModelServiceTier>,
/**
 * Catalog default service tier id for this model, when one is configured.
 */
defaultServiceTier: string | null,
/**
 * Null when the catalog does not provide access-program metadata.
 */
availableAccessPrograms: ModelAccessPrograms | null, isDefault: boolean, };

/**
 * Caller-specific explicit access programs advertised by model discovery.
 */
export type ModelAccessPrograms = {
/**
 * Accepted explicit selections.
 */
cyber: Array<CyberAccessProgram>, };

export type ModelAvailabilityNux = { message: string, };

export type ModelListParams = {
/**
 * List models for this configured provider instead of the app-server default.
 */
modelProvider?: string | null,
/**
 * Opaque pagination cursor returned by a previous call.
 */
cursor?: string | null,
/**
 * Optional page size; defaults to a reasonable server-side value.
 */
limit?: number | null,
/**
 * When true, include models that are hidden from the default picker list.
 */
includeHidden?: boolean | null, };

export type ModelListResponse = { data: Array<Model>,
/**
 * Opaque cursor to pass to the next call to continue after the last item.
 * If None, there are no more items to return.
 */
nextCursor: string | null, };

export type ModelRerouteReason = "highRiskCyberActivity";

export type ModelReroutedNotification = { threadId: string, turnId: string, fromModel: string, toModel: string, reason: ModelRerouteReason, };

export type ModelServiceTier = { id: string, name: string, description: string, };

export type ModelUpgradeInfo = { model: string, upgradeCopy: string | null, modelLink: string | null, migrationMarkdown: string | null,
/**
 * Informational Unix timestamp for this upgrade's scheduled retirement, if known.
 */
retirementAt: number | null, };

/**
 * Controls the effective multi-agent delegation instructions for a turn. `custom` means the
 * configured mode hint defines the policy instead of a built-in policy.
 */
export type MultiAgentMode = { "custom": string } | "explicitRequestOnly" | "proactive";

/**
 * Multi-agent runtime supported by a model.
 */
export type MultiAgentVersion = "disabled" | "v1" | "v2";

export type NetworkAccess = "restricted" | "enabled";

export type NetworkApprovalContext = { host: string, protocol: NetworkApprovalProtocol, };

export type NetworkApprovalProtocol = "http" | "https" | "socks5Tcp" | "socks5Udp";

export type NetworkPolicyAmendment = { host: string, action: NetworkPolicyRuleAction, };

export type NetworkPolicyRuleAction = "allow" | "deny";

export type NonSteerableTurnKind = "review" | "compact";

export type ParsedCommand = { "type": "read", cmd: string, name: string,
/**
 * (Best effort) Path to the file being read by the command. When
 * possible, this is an absolute path, though when relative, it should
 * be resolved against the `cwd`` that will be used to run the command
 * to derive the absolute path.
 */
path: string, } | { "type": "list_files", cmd: string, path: string | null, } | { "type": "search", cmd: string, query: string | null, path: string | null, } | { "type": "unknown", cmd: string, };

export type PatchApplyStatus = "inProgress" | "completed" | "failed" | "declined";

export type PatchChangeKind = { "type": "add" } | { "type": "delete" } | { "type": "update", move_path: string | null, };

export type PermissionGrantScope = "turn" | "session";

export type PermissionsRequestApprovalParams = { threadId: string, turnId: string, itemId: string, environmentId: string | null,
/**
 * Unix timestamp (in milliseconds) when this approval request started.
 */
startedAtMs: number, cwd: LegacyAppPathString, reason: string | null, permissions: RequestPermissionProfile, };

export type PermissionsRequestApprovalResponse = { permissions: GrantedPermissionProfile, scope: PermissionGrantScope,
/**
 * Review every subsequent command in this turn before normal sandboxed execution.
 */
strictAutoReview?: boolean, };

/**
 * Deprecated: `friendly` and `pragmatic` no longer select a style.
 */
export type Personality = "none" | "friendly" | "pragmatic";

/**
 * EXPERIMENTAL - proposed plan streaming deltas for plan items. Clients should
 * not assume concatenated deltas match the completed plan item content.
 */
export type PlanDeltaNotification = { threadId: string, turnId: string, itemId: string, delta: string, };

export type PlanType = "free" | "go" | "plus" | "pro" | "prolite" | "promax" | "team" | "self_serve_business_prolite" | "self_serve_business_usage_based" | "business" | "ent26" | "enterprise_cbp_automation" | "enterprise_cbp_usage_based" | "enterprise" | "edu" | "edu_plus" | "edu_pro" | "sci" | "sci_plus" | "unknown";

export type RateLimitReachedType = "rate_limit_reached" | "workspace_owner_credits_depleted" | "workspace_member_credits_depleted" | "workspace_owner_usage_limit_reached" | "workspace_member_usage_limit_reached";

export type RateLimitResetCredit = {
/**
 * Opaque backend identifier for this reset credit.
 */
id: string, resetType: RateLimitResetType, status: RateLimitResetCreditStatus,
/**
 * Unix timestamp in seconds when the credit was granted.
 */
grantedAt: number,
/**
 * Unix timestamp in seconds when the credit expires, or `null` if it does not expire.
 */
expiresAt: number | null,
/**
 * Backend-provided display title for this credit, or `null` when unavailable.
 */
title: string | null,
/**
 * Backend-provided display description for this credit, or `null` when unavailable.
 */
description: string | null, };

export type RateLimitResetCreditStatus = "available" | "redeeming" | "redeemed" | "unknown";

export type RateLimitResetCreditsSummary = { availableCount: bigint,
/**
 * Detail rows for available reset credits, when the backend provides them.
 *
 * `null` means only `availableCount` is known, while an empty array means details were fetched
 * and no available credits were returned. The backend may cap this list, so its length can be
 * less than `availableCount`.
 */
credits: Array<RateLimitResetCredit> | null, };

export type RateLimitResetType = "codexRateLimits" | "unknown";

export type RateLimitSnapshot = { limitId: string | null, limitName: string | null,
/**
 * Normal model whose display name and reasoning options describe this quota alias.
 */
normalModelSlug: string | null, primary: RateLimitWindow | null, secondary: RateLimitWindow | null, credits: CreditsSnapshot | null, individualLimit: SpendControlLimitSnapshot | null,
/**
 * Backend-reported spend-control state. `None` is unavailable, not a sparse-update recovery.
 */
spendControlReached: boolean | null, planType: PlanType | null, rateLimitReachedType: RateLimitReachedType | null, };

export type RateLimitWindow = { usedPercent: number, windowDurationMins: number | null, resetsAt: number | null, };

/**
 * See https://platform.openai.com/docs/guides/reasoning?api-mode=responses#get-started-with-reasoning
 */
export type ReasoningEffort = string;

export type ReasoningEffortOption = { reasoningEffort: ReasoningEffort, description: string, };

export type ReasoningItemContent = { "type": "reasoning_text", text: string, } | { "type": "text", text: string, };

export type ReasoningItemReasoningSummary = { "type": "summary_text", text: string, };

/**
 * A summary of the reasoning performed by the model. This can be useful for
 * debugging and understanding the model's reasoning process.
 * See https://platform.openai.com/docs/guides/reasoning?api-mode=responses#reasoning-summaries
 */
export type ReasoningSummary = "auto" | "concise" | "detailed" | "none";

export type ReasoningSummaryPartAddedNotification = { threadId: string, turnId: string, itemId: string, summaryIndex: number, };

export type ReasoningSummaryTextDeltaNotification = { threadId: string, turnId: string, itemId: string, delta: string, summaryIndex: number, };

export type RequestId = string | number;

export type RequestPermissionProfile = { network: AdditionalNetworkPermissions | null, fileSystem: AdditionalFileSystemPermissions | null, };

/**
 * A known resource that the server is capable of reading.
 */
export type Resource = { annotations?: JsonValue, description?: string, mimeType?: string, name: string, size?: number, title?: string, uri: string, icons?: Array<JsonValue>, _meta?: JsonValue, };

/**
 * A template description for resources available on the server.
 */
export type ResourceTemplate = { annotations?: JsonValue, uriTemplate: string, name: string, title?: string, description?: string, mimeType?: string, };

export type ResponseItem = { "type": "additional_tools", id?: ResponseItemId, role: string, tools: unknown[], } | { "type": "message", encrypted_content?: string, status?: string, id?: ResponseItemId, role: string, content: Array<ContentItem>, phase?: MessagePhase, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "agent_message", id?: ResponseItemId, author: string, recipient: string, content: Array<AgentMessageInputContent>, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "reasoning", id?: ResponseItemId, summary: Array<ReasoningItemReasoningSummary>, content?: Array<ReasoningItemContent>, encrypted_content: string | null, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "local_shell_call", encrypted_content?: string,
/**
 * Legacy id field retained for compatibility with older payloads.
 */
id?: ResponseItemId,
/**
 * Set when using the Responses API.
 */
call_id: string | null, status: LocalShellStatus, action: LocalShellAction, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "function_call", encrypted_content?: string, status?: string, id?: ResponseItemId, name: string, namespace?: string, arguments: string, encrypted_function_args?: Array<string>, call_id: string, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "tool_search_call", encrypted_content?: string, id?: ResponseItemId, call_id: string | null, status?: string, execution: string, arguments: unknown, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "function_call_output", id?: ResponseItemId, call_id?: string, name?: string, namespace?: string, output: FunctionCallOutputBody, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "custom_tool_call", encrypted_content?: string, id?: ResponseItemId, status?: string, call_id: string, name: string, namespace?: string, input: string, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "custom_tool_call_output", id?: ResponseItemId, call_id: string, name?: string, output: FunctionCallOutputBody, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "tool_search_output", id?: ResponseItemId, call_id: string | null, status: string, execution: string, tools: unknown[], internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "web_search_call", encrypted_content?: string, id?: ResponseItemId, status?: string, action?: RootWebSearchAction, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "image_generation_call", encrypted_content?: string, id?: ResponseItemId, status: string, revised_prompt?: string, result: string, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "compaction", id?: ResponseItemId, encrypted_content: string, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "configuration_update", reasoning: ConfigurationReasoning, } | { "type": "compaction_trigger", } | { "type": "context_compaction", id?: ResponseItemId, encrypted_content?: string, internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough, } | { "type": "other" };

/**
 * A Responses API item ID. New IDs require an explicit prefix; deserialization
 * remains permissive so legacy rollouts can still be read.
 */
export type ResponseItemId = string;

/**
 * User's decision in response to an ExecApprovalRequest.
 */
export type ReviewDecision = "approved" | { "approved_execpolicy_amendment": { proposed_execpolicy_amendment: RootExecPolicyAmendment, } } | "approved_for_session" | "approved_mcp_policy_amendment" | { "network_policy_amendment": { network_policy_amendment: RootNetworkPolicyAmendment, } } | { "denied": { rejection: string, } } | "timed_out" | "abort";

/**
 * Proposed execpolicy change to allow commands starting with this prefix.
 *
 * The `command` tokens form the prefix that would be added as an execpolicy
 * `prefix_rule(..., decision="allow")`, letting the agent bypass approval for
 * commands that start with this token sequence.
 */
export type RootExecPolicyAmendment = Array<string>;

export type RootNetworkPolicyAmendment = { host: string, action: RootNetworkPolicyRuleAction, };

export type RootNetworkPolicyRuleAction = "allow" | "deny";

export type RootWebSearchAction = { "type": "search", query?: string, queries?: Array<string>, } | { "type": "open_page", url?: string, } | { "type": "find_in_page", url?: string, pattern?: string, } | { "type": "other" };

export type SandboxMode = "read-only" | "workspace-write" | "danger-full-access";

export type SandboxPolicy = { "type": "dangerFullAccess" } | { "type": "readOnly", networkAccess: boolean, } | { "type": "externalSandbox", networkAccess: NetworkAccess, } | { "type": "workspaceWrite", writableRoots: Array<AbsolutePathBuf>, networkAccess: boolean, excludeTmpdirEnvVar: boolean, excludeSlashTmp: boolean, };

export type SandboxWorkspaceWrite = { writable_roots: Array<string>, network_access: boolean, exclude_tmpdir_env_var: boolean, exclude_slash_tmp: boolean, };

/**
 * A user-selected root that can expose one or more runtime capabilities.
 */
export type SelectedCapabilityRoot = {
/**
 * Stable identifier supplied by the capability selection platform.
 */
id: string,
/**
 * Where the selected root can be resolved.
 */
location: CapabilityRootLocation, };

export type ServerDiagnosticsGauge = { name: string, value: number, };

export type ServerDiagnosticsParams = Record<string, never>;

export type ServerDiagnosticsProcess = { id: number, residentMemoryBytes: number | null, physicalFootprintBytes: number | null, };

export type ServerDiagnosticsResponse = { process: ServerDiagnosticsProcess, gauges: Array<ServerDiagnosticsGauge>, };

export type ServerRequestResolvedNotification = { threadId: string, requestId: RequestId, };

export type SessionSource = "cli" | "vscode" | "exec" | "appServer" | { "custom": string } | { "subAgent": SubAgentSource } | "unknown";

/**
 * Settings for a collaboration mode.
 */
export type Settings = { model: string, reasoning_effort: ReasoningEffort | null, developer_instructions: string | null, };

export type SkillDependencies = { tools: Array<SkillToolDependency>, };

export type SkillErrorInfo = { path: string, message: string, };

export type SkillInterface = { displayName?: string, shortDescription?: string, iconSmall?: AbsolutePathBuf, iconLarge?: AbsolutePathBuf,
/**
 * Remote small icon URL from the plugin catalog.
 */
iconSmallUrl: string | null,
/**
 * Remote large icon URL from the plugin catalog.
 */
iconLargeUrl: string | null, brandColor?: string, defaultPrompt?: string, };

export type SkillMetadata = { name: string, description: string,
/**
 * Legacy short_description from SKILL.md. Prefer SKILL.json interface.short_description.
 */
shortDescription?: string, interface?: SkillInterface, dependencies?: SkillDependencies, path: LegacyAppPathString, scope: SkillScope, enabled: boolean,
/**
 * Owning plugin ID, matching `PluginSummary.id`, when known.
 */
pluginId: string | null, };

export type SkillScope = "user" | "repo" | "system" | "admin";

export type SkillToolDependency = { type: string, value: string, description?: string, transport?: string, command?: string, url?: string, };

/**
 * Notification emitted when watched local skill files change.
 *
 * Treat this as an invalidation signal and re-run `skills/list` with the
 * client's current parameters when refreshed skill metadata is needed.
 */
export type SkillsChangedNotification = Record<string, never>;

export type SkillsListEntry = { cwd: string, skills: Array<SkillMetadata>, errors: Array<SkillErrorInfo>, };

export type SkillsListParams = {
/**
 * When empty, defaults to the current session working directory.
 */
cwds?: Array<string>,
/**
 * When true, bypass the skills cache and re-scan skills from disk.
 */
forceReload?: boolean, };

export type SkillsListResponse = { data: Array<SkillsListEntry>, };

/**
 * Display item emitted by the interruptible `clock.sleep` tool.
 */
export type SleepItem = { id: string, durationMs: number, };

export type SortDirection = "asc" | "desc";

export type SpendControlLimitSnapshot = { limit: string, used: string, remainingPercent: number, resetsAt: number, };

export type SubAgentActivityKind = "started" | "interacted" | "interrupted" | "completed";

export type SubAgentSource = "review" | "compact" | { "thread_spawn": { parent_thread_id: ThreadId, depth: number, agent_path: AgentPath | null, agent_nickname: string | null, agent_role: string | null, } } | "memory_consolidation" | { "other": string };

export type TextElement = {
/**
 * Byte range in the parent `text` buffer that this element occupies.
 */
byteRange: ByteRange,
/**
 * Optional human-readable placeholder for the element, displayed in the UI.
 */
placeholder: string | null, };

export type TextPosition = {
/**
 * 1-based line number.
 */
line: number,
/**
 * 1-based column number (in Unicode scalar values).
 */
column: number, };

export type TextRange = { start: TextPosition, end: TextPosition, };

export type Thread = {
/**
 * Identifier for this thread. Codex-generated thread IDs are UUIDv7.
 */
id: string,
/**
 * Current environments for a loaded thread, in priority order, primary first.
 * `null` means the thread is not loaded or the server does not expose its selection.
 * An empty list means no environments are selected. This does not report connection status.
 */
environments: Array<ThreadEnvironment> | null,
/**
 * Optional implementation-specific thread data.
 */
extra: ThreadExtra | null,
/**
 * Session id shared by threads that belong to the same session tree.
 */
sessionId: string,
/**
 * Source thread id when this thread was created by forking another thread.
 */
forkedFromId: string | null,
/**
 * Parent that owns this persisted attached thread, independent of fork or spawn lineage.
 */
attachedToThreadId: string | null,
/**
 * The ID of the parent thread. This will only be set if this thread is a subagent.
 */
parentThreadId: string | null,
/**
 * Usually the first user message in the thread, if available.
 */
preview: string,
/**
 * Whether the thread is ephemeral and should not be materialized on disk.
 */
ephemeral: boolean,
/**
 * The independently persisted section selected for this thread, if any.
 */
section: ThreadSection | null,
/**
 * Unix timestamp in seconds when the thread entered its current section.
 */
sectionEnteredAt: number | null,
/**
 * Canonical project assignment owned by app-server, if any.
 */
projectId: string | null,
/**
 * Persisted thread history contract selected when this thread was created.
 */
historyMode: ThreadHistoryMode,
/**
 * Model provider used for this thread (for example, 'openai').
 */
modelProvider: string,
/**
 * Current configured model when loaded, otherwise the latest persisted model.
 * Null when unavailable. This is not per-turn execution telemetry.
 */
model: string | null,
/**
 * Current configured reasoning effort when loaded, otherwise the latest persisted effort.
 * Null when unset or unavailable. This is not per-turn execution telemetry.
 */
reasoningEffort: ReasoningEffort | null,
/**
 * Unix timestamp (in seconds) when the thread was created.
 */
createdAt: number,
/**
 * Unix timestamp (in seconds) when the thread was last updated.
 */
updatedAt: number,
/**
 * Unix timestamp (in seconds) used for thread recency ordering.
 */
recencyAt: number | null,
/**
 * Current runtime status for the thread.
 */
status: ThreadStatus,
/**
 * [UNSTABLE] Path to the thread on disk.
 */
path: string | null,
/**
 * Working directory captured for the thread.
 */
cwd: AbsolutePathBuf,
/**
 * Version of the CLI that created the thread.
 */
cliVersion: string,
/**
 * Originator recorded when the thread was created, independent of its current client or executor.
 * Null when the recorded originator is unavailable.
 */
originator: string | null,
/**
 * Origin of the thread (CLI, VSCode, codex exec, codex app-server, etc.).
 */
source: SessionSource,
/**
 * Whether the app server accepts direct turn input for this loaded thread.
 * `None` means the capability is unavailable, such as for an unloaded stored thread.
 */
canAcceptDirectInput: boolean | null,
/**
 * Optional analytics source classification for this thread.
 */
threadSource: ThreadSource | null,
/**
 * Optional random unique nickname assigned to an AgentControl-spawned sub-agent.
 */
agentNickname: string | null,
/**
 * Optional role (agent_role) assigned to an AgentControl-spawned sub-agent.
 */
agentRole: string | null,
/**
 * Optional Git metadata captured when the thread was created.
 */
gitInfo: GitInfo | null,
/**
 * Optional user-facing thread title.
 */
name: string | null,
/**
 * Saved Daybreak choice, independent of turn execution. Null if unset.
 */
daybreakEnabled: boolean | null,
/**
 * Only populated on `thread/resume`, `thread/fork`, and `thread/read`
 * (when `includeTurns` is true) responses.
 * For all other responses and notifications returning a Thread,
 * the turns field will be an empty list.
 */
turns: Array<Turn>, };

export type ThreadActiveFlag = "waitingOnApproval" | "waitingOnUserInput";

export type ThreadArchiveParams = { threadId: string, };

export type ThreadArchiveResponse = Record<string, never>;

export type ThreadBackgroundTerminal = { itemId: string, processId: string, command: string, cwd: LegacyAppPathString, osPid: number | null, cpuPercent: number | null, rssKb: bigint | null, };

export type ThreadBackgroundTerminalsCleanParams = { threadId: string, };

export type ThreadBackgroundTerminalsCleanResponse = Record<string, never>;

export type ThreadBackgroundTerminalsListParams = { threadId: string,
/**
 * Opaque pagination cursor returned by a previous call.
 */
cursor?: string | null,
/**
 * Optional page size.
 */
limit?: number | null, };

export type ThreadBackgroundTerminalsListResponse = { data: Array<ThreadBackgroundTerminal>,
/**
 * Opaque cursor to pass to the next call to continue after the last item.
 * If None, there are no more items to return.
 */
nextCursor: string | null, };

export type ThreadBackgroundTerminalsTerminateParams = { threadId: string, processId: string, };

export type ThreadBackgroundTerminalsTerminateResponse = { terminated: boolean, };

export type ThreadClosedNotification = { threadId: string, };

export type ThreadCompactStartParams = { threadId: string, };

export type ThreadCompactStartResponse = Record<string, never>;

export type ThreadDeleteParams = { threadId: string, };

export type ThreadDeleteResponse = Record<string, never>;

/**
 * An environment selected by a loaded thread, independent of connection status.
 */
export type ThreadEnvironment = { environmentId: string, cwd: LegacyAppPathString, runtimeWorkspaceRoots: Array<LegacyAppPathString>, };

/**
 * Extra app-server data for a thread.
 */
export type ThreadExtra = Record<string, never>;

/**
 * There are two ways to fork a thread:
 * 1. By thread_id: load the thread from disk by thread_id and fork it into a new thread.
 * 2. By path: load the thread from disk by path and fork it into a new thread.
 *
 * If using a non-empty path, the thread_id param will be ignored.
 * Empty string path values are treated as absent.
 *
 * Prefer using thread_id whenever possible.
 */
export type ThreadForkParams = { threadId: string,
/**
 * Start from the loaded parent's effective config, tools, environments, and
 * persisted history to maximize prompt-cache reuse. Requires a loaded,
 * persisted parent and `ephemeral: true`. Enables `features.reasoning_effort_override`
 * on the fork. Only `config.thread_unload_delay_secs` may override the inherited
 * config. Cannot be combined with `path`, `lastTurnId`, or `beforeTurnId`.
 */
experimentalPredictionMode?: boolean,
/**
 * Disable MCP servers in prediction mode when the inherited window uses incremental tools on Responses Lite.
 * Requires `experimentalPredictionMode: true`.
 */
experimentalDisablePredictionMcp?: boolean,
/**
 * Optional last turn id to fork through, inclusive.
 *
 * When specified, turns after `last_turn_id` are omitted from the fork.
 * The referenced turn cannot be in progress.
 */
lastTurnId?: string | null,
/**
 * Optional turn id to fork before, excluding that turn and all later turns.
 * Cannot be combined with `last_turn_id`.
 */
beforeTurnId?: string | null,
/**
 * [UNSTABLE] Specify the rollout path to fork from.
 * If specified, the thread_id param will be ignored.
 */
path?: string | null,
/**
 * Configuration overrides for the forked thread, if any.
 */
model?: string | null, modelProvider?: string | null, serviceTier?: string | null | null, cwd?: string | null,
/**
 * Replace the thread's runtime workspace roots. Paths must be absolute.
 */
runtimeWorkspaceRoots?: Array<AbsolutePathBuf> | null, approvalPolicy?: AskForApproval | null,
/**
 * Override where approval requests are routed for review on this thread
 * and subsequent turns.
 */
approvalsReviewer?: ApprovalsReviewer | null, sandbox?: SandboxMode | null,
/**
 * Named profile id for the forked thread. Cannot be combined with
 * `sandbox`.
 */
permissions?: string | null, config?: { [key in string]?: JsonValue } | null, baseInstructions?: string | null, developerInstructions?: string | null, ephemeral?: boolean,
/**
 * Persist the fork as an attached thread of its resolved source, hidden from ordinary
 * lists. The source cannot be deleted while attached threads exist. Requires a paginated source and local storage;
 * incompatible with ephemeral and deferGoalContinuation. Omitted or false creates an ordinary fork.
 */
attachToSource?: boolean,
/**
 * Optional client-supplied analytics source classification for this forked thread.
 */
threadSource?: ThreadSource | null,
/**
 * When true, return only thread metadata and live fork state without
 * populating `thread.turns`. This is useful when the client plans to call
 * `thread/turns/list` immediately after forking. Full-history hydration
 * is deprecated for paginated threads; use this with `thread/turns/list`
 * and `thread/items/list` instead.
 */
excludeTurns?: boolean,
/**
 * When true, carry the source thread's current goal into the fork without
 * starting its initial automatic continuation. The next explicit turn owns
 * the goal lifecycle, and normal automatic continuation resumes after it.
 */
deferGoalContinuation?: boolean, };

export type ThreadForkResponse = { thread: Thread, model: string, modelProvider: string, serviceTier: string | null,
/**
 * Saved list of disabled plugin IDs. Does not yet filter plugin capabilities.
 */
disabledPluginIds: Array<string>, cwd: AbsolutePathBuf,
/**
 * Thread-scoped runtime workspace roots used to materialize
 * `:workspace_roots`.
 */
runtimeWorkspaceRoots: Array<AbsolutePathBuf>,
/**
 * Environment-native paths to instruction source files currently loaded for this thread.
 */
instructionSources: Array<LegacyAppPathString>, approvalPolicy: AskForApproval,
/**
 * Reviewer currently used for approval requests on this thread.
 */
approvalsReviewer: ApprovalsReviewer,
/**
 * Legacy sandbox policy retained for compatibility. Experimental clients
 * should prefer `activePermissionProfile` for profile provenance.
 */
sandbox: SandboxPolicy,
/**
 * Named or implicit built-in profile that produced the active
 * permissions, when known.
 */
activePermissionProfile: ActivePermissionProfile | null, reasoningEffort: ReasoningEffort | null,
/**
 * @deprecated Always `explicitRequestOnly`. Use `reasoningEffort` for Ultra behavior.
 */
multiAgentMode: MultiAgentMode, };

export type ThreadHistoryMode = "legacy" | "paginated";

/**
 * Identifier for a Codex thread.
 *
 * Codex-generated thread IDs are UUIDv7, and some use cases rely on that.
 */
export type ThreadId = string;

export type ThreadInjectItemsParams = { threadId: string,
/**
 * Raw Responses API items to append to the thread's model-visible history.
 */
items: Array<JsonValue>, };

export type ThreadInjectItemsResponse = Record<string, never>;

/**
 * A thread item and its recorded lifecycle times. The payload stays flat on the wire.
 */
export type ThreadItem = {
/**
 * Unix timestamp in milliseconds when the item started, if recorded.
 */
startedAtMs?: number | null,
/**
 * Unix timestamp in milliseconds when the item completed, if recorded.
 */
completedAtMs?: number | null, } & ({ "type": "userMessage", id: string, clientId: string | null, content: Array<UserInput>, } | { "type": "hookPrompt", id: string, fragments: Array<HookPromptFragment>, } | { "type": "agentMessage", moderation: AgentMessageModeration | null, id: string, text: string, phase: MessagePhase | null, memoryCitation: MemoryCitation | null, delivery: AgentMessageDelivery | null, questions: Array<AsyncUserInputQuestion> | null, } | { "type": "functionCallOutput", id: string, name: string, namespace: string | null, output: FunctionCallOutputBody, } | { "type": "plan", id: string, text: string, } | { "type": "reasoning", id: string, summary: Array<string>, content: Array<string>, } | { "type": "commandExecution", id: string,
/**
 * Trusted first-party plugin id when this command resolves to one plugin script.
 */
pluginId: string | null,
/**
 * Safe plugin-relative path when this command resolves to one plugin script.
 */
scriptPath: string | null,
/**
 * The command to be executed.
 */
command: string,
/**
 * The command's working directory.
 */
cwd: LegacyAppPathString,
/**
 * Identifier for the underlying PTY process (when available).
 */
processId: string | null, source: CommandExecutionSource, status: CommandExecutionStatus,
/**
 * A best-effort parsing of the command to understand the action(s) it will perform.
 * This returns a list of CommandAction objects because a single shell command may
 * be composed of many commands piped together.
 */
commandActions: Array<CommandAction>,
/**
 * The command's output, aggregated from stdout and stderr.
 */
aggregatedOutput: string | null,
/**
 * The command's exit code.
 */
exitCode: number | null,
/**
 * The duration of the command execution in milliseconds.
 */
durationMs: number | null, } | { "type": "fileChange", id: string, changes: Array<FileUpdateChange>, status: PatchApplyStatus, } | { "type": "mcpToolCall", id: string, server: string,
/**
 * Registration scope, not necessarily the server's execution environment.
 */
environmentId: string | null, tool: string, status: McpToolCallStatus, arguments: JsonValue, appContext: McpToolCallAppContext | null,
/**
 * Legacy compatibility field; prefer `mcpAppUi.resourceUri` when available.
 */
mcpAppResourceUri?: string,
/**
 * Presentation captured from the invoked descriptor; absent in older history.
 */
mcpAppUi: McpAppUi | null, pluginId: string | null, readOnlyHint: boolean | null, result: McpToolCallResult | null, error: McpToolCallError | null,
/**
 * The duration of the MCP tool call in milliseconds.
 */
durationMs: number | null, } | { "type": "dynamicToolCall", id: string, namespace: string | null, tool: string, arguments: JsonValue, status: DynamicToolCallStatus, contentItems: Array<DynamicToolCallOutputContentItem> | null, success: boolean | null,
/**
 * The duration of the dynamic tool call in milliseconds.
 */
durationMs: number | null, } | { "type": "collabAgentToolCall",
/**
 * Unique identifier for this collab tool call.
 */
id: string,
/**
 * Name of the collab tool that was invoked.
 */
tool: CollabAgentTool,
/**
 * Current status of the collab tool call.
 */
status: CollabAgentToolCallStatus,
/**
 * Thread ID of the agent issuing the collab request.
 */
senderThreadId: string,
/**
 * Thread ID of the receiving agent, when applicable. In case of spawn operation,
 * this corresponds to the newly spawned agent.
 */
receiverThreadIds: Array<string>,
/**
 * Prompt text sent as part of the collab tool call, when available.
 */
prompt: string | null,
/**
 * Model requested for the spawned agent, when applicable.
 */
model: string | null,
/**
 * Reasoning effort requested for the spawned agent, when applicable.
 */
reasoningEffort: ReasoningEffort | null,
/**
 * Last known status of the target agents, when available.
 */
agentsStates: { [key in string]?: CollabAgentState }, } | { "type": "subAgentActivity",
/**
 * Resolved model at sub-agent creation; absent from older records and other activities.
 */
model: string | null,
/**
 * Resolved reasoning effort at sub-agent creation, when known.
 */
reasoningEffort: ReasoningEffort | null, id: string, kind: SubAgentActivityKind, agentThreadId: string, agentPath: string, } | { "type": "webSearch" } & WebSearchItem | { "type": "imageView", id: string, path: LegacyAppPathString, } | { "type": "sleep" } & SleepItem | { "type": "imageGeneration" } & ImageGenerationItem | { "type": "enteredReviewMode", id: string, review: string, } | { "type": "exitedReviewMode", id: string, review: string, } | { "type": "contextCompaction", id: string, });

export type ThreadItemEntry = {
/**
 * Turn containing this item.
 */
turnId: string, item: ThreadItem,
/**
 * The saved output was omitted. Fetch the complete item with `thread/items/read`.
 */
outputDeferred?: boolean,
/**
 * Unix timestamp (milliseconds) when the item started, if recorded by the producer.
 */
startedAtMs: number | null,
/**
 * Unix timestamp (milliseconds) when the item completed, if recorded by the producer.
 */
completedAtMs: number | null, };

export type ThreadItemOutputDeferral = {
/**
 * Defer nonempty output from successful commands.
 */
commandExecution?: boolean,
/**
 * Defer nonempty plain-text results from successful MCP tool calls.
 */
mcpToolCall?: boolean, };

/**
 * An exclusive item position within the requested visible turn.
 */
export type ThreadItemsListAnchor = { "type": "item", itemId: string, };

/**
 * Starting position for an item-history page.
 */
export type ThreadItemsListCursor = string | ThreadItemsListAnchor;

export type ThreadItemsListParams = { threadId: string,
/**
 * Optional turn id to filter by. When omitted, returns items across the thread.
 */
turnId?: string | null,
/**
 * Opaque continuation cursor or an exclusive item anchor in the requested visible turn.
 * An item anchor requires a non-empty `turnId`; ascending (the default) returns items
 * after it, and descending returns items before it. Continue with the returned string cursor.
 */
cursor?: ThreadItemsListCursor | null,
/**
 * Optional item page size.
 */
limit?: number | null,
/**
 * Optional item pagination direction; defaults to ascending.
 */
sortDirection?: SortDirection | null,
/**
 * For a single turn, choose which saved outputs to fetch separately by item ID.
 */
deferOutput?: ThreadItemOutputDeferral | null, };

export type ThreadItemsListResponse = { data: Array<ThreadItemEntry>,
/**
 * Opaque cursor to pass to the next call to continue after the last item.
 * if None, there are no more items to return.
 */
nextCursor: string | null,
/**
 * Opaque cursor to pass as `cursor` when reversing `sortDirection`.
 * This is only populated when the page contains at least one item.
 */
backwardsCursor: string | null, };

export type ThreadListParams = {
/**
 * Include persistent threads attached to a parent when searching by title.
 */
includeAttachedThreads?: boolean,
/**
 * Show local history visible to the current ChatGPT account. Defaults to false.
 */
currentAccountOnly?: boolean,
/**
 * Opaque pagination cursor returned by a previous call.
 */
cursor?: string | null,
/**
 * Optional page size; defaults to a reasonable server-side value.
 */
limit?: number | null,
/**
 * Restrict results to up to 100 thread IDs before pagination. Omit or send null
 * for unrestricted results. An empty list matches nothing. Exclusions still apply.
 * Repeat the same IDs on each page. The local store uses indexed metadata for this filter.
 */
includedThreadIds?: Array<string> | null,
/**
 * Thread IDs to exclude before applying the result limit. Up to 100
 * entries; invalid IDs or a larger list are rejected, never truncated.
 * Send the same exclusions on each page. Omitted, null, or empty means no exclusions.
 */
excludedThreadIds?: Array<string> | null,
/**
 * Optional sort key; defaults to created_at.
 */
sortKey?: ThreadSortKey | null,
/**
 * Optional sort direction; defaults to descending (newest first).
 */
sortDirection?: SortDirection | null,
/**
 * Optional provider filter; when set, only sessions recorded under these
 * providers are returned. When present but empty, includes all providers.
 */
modelProviders?: Array<string> | null,
/**
 * Optional source filter; when set, only sessions from these source kinds
 * are returned. When omitted or empty, defaults to interactive sources.
 */
sourceKinds?: Array<ThreadSourceKind> | null,
/**
 * Optional originator allowlist, matching any supplied value exactly.
 * Supported by hosted backends only; the local app-server rejects a nonempty list.
 * Omitted or empty lists leave originators unrestricted.
 */
originators?: Array<string> | null,
/**
 * Optional archived filter; when set to true, only archived threads are returned.
 * If false or null, only non-archived threads are returned.
 */
archived?: boolean | null,
/**
 * Omit to include every section, set to `null` for unsectioned threads,
 * or provide a section ID to return only threads in that section.
 */
sectionId?: string | null,
/**
 * Omit to include every project, set to null for unassigned threads,
 * or provide a project ID to return only threads in that project.
 */
projectId?: string | null,
/**
 * Optional cwd filter or filters; when set, only threads whose session cwd
 * exactly matches one of these paths are returned.
 */
cwd?: string | Array<string> | null,
/**
 * If true, the local store returns indexed metadata without scanning JSONL rollouts
 * for repairs. Requests with `includedThreadIds` always use indexed metadata.
 */
useStateDbOnly?: boolean,
/**
 * Optional substring filter for the extracted thread title.
 */
searchTerm?: string | null,
/**
 * Optional direct parent thread filter. Mutually exclusive with `ancestorThreadId`.
 */
parentThreadId?: string | null,
/**
 * Optional ancestor thread filter. Returns spawned descendants at any depth, excluding the
 * ancestor itself. Mutually exclusive with `parentThreadId`.
 */
ancestorThreadId?: string | null,
/**
 * Return only persistent threads attached to this thread, including empty threads.
 * Mutually exclusive with parentThreadId and ancestorThreadId.
 * Omitting this filter keeps attached threads hidden from ordinary listings.
 */
attachedToThreadId?: string | null, };

export type ThreadListResponse = { data: Array<Thread>,
/**
 * Local receipts for eligible threads on this page, keyed by thread ID.
 * Null means durable read state is unavailable; an absent key means that row is ineligible.
 */
readStates: { [key in string]?: ThreadReadState } | null,
/**
 * Opaque cursor to pass to the next call to continue after the last item.
 * if None, there are no more items to return.
 */
nextCursor: string | null,
/**
 * Opaque cursor to pass as `cursor` when reversing `sortDirection`.
 * This is only populated when the page contains at least one thread.
 * Use it with the opposite `sortDirection`; for timestamp sorts it anchors
 * at the start of the page timestamp so same-second updates are not skipped.
 */
backwardsCursor: string | null, };

export type ThreadLoadedListParams = {
/**
 * Opaque pagination cursor returned by a previous call.
 */
cursor?: string | null,
/**
 * Optional page size; defaults to no limit.
 */
limit?: number | null, };

export type ThreadLoadedListResponse = {
/**
 * Thread ids for sessions currently loaded in memory.
 */
data: Array<string>,
/**
 * Opaque cursor to pass to the next call to continue after the last item.
 * if None, there are no more items to return.
 */
nextCursor: string | null, };

export type ThreadNameUpdatedNotification = { threadId: string, threadName?: string, };

export type ThreadReadParams = { threadId: string,
/**
 * When true, include turns and their items from rollout history.
 * Full-history hydration is deprecated for paginated threads; prefer a
 * metadata-only read and page with `thread/turns/list` and
 * `thread/items/list`.
 */
includeTurns?: boolean, };

export type ThreadReadResponse = { thread: Thread,
/**
 * Local receipt. Null means this thread's durable read state is unavailable.
 */
readState: ThreadReadState | null, };

/**
 * The first unread position in a durable local thread. A null position means read.
 * The opaque revision guards edits against activity or marks the caller has not seen.
 */
export type ThreadReadState = { firstUnread: ThreadUnreadPosition | null, revision: string, };

export type ThreadResumeInitialTurnsPageParams = {
/**
 * Optional turn page size.
 */
limit?: number | null,
/**
 * Optional turn pagination direction; defaults to descending.
 */
sortDirection?: SortDirection | null,
/**
 * How much item detail to include for each returned turn; defaults to summary.
 */
itemsView?: TurnItemsView | null, };

/**
 * There are three ways to resume a thread:
 * 1. By thread_id: load the thread from disk by thread_id and resume it.
 * 2. By history: instantiate the thread from memory and resume it.
 * 3. By path: load the thread from disk by path and resume it.
 *
 * For non-running threads, the precedence is: history > non-empty path > thread_id.
 * If using history or a non-empty path for a non-running thread, the thread_id
 * param will be ignored.
 *
 * If thread_id identifies a running thread, app-server rejoins that thread and
 * treats a non-empty path as a consistency check against the active rollout path.
 * Empty string path values are treated as absent.
 *
 * Prefer using thread_id whenever possible.
 */
export type ThreadResumeParams = { threadId: string,
/**
 * [UNSTABLE] FOR CODEX CLOUD - DO NOT USE.
 * If specified, the thread will be resumed with the provided history
 * instead of loaded from disk.
 */
history?: Array<ResponseItem> | null,
/**
 * [UNSTABLE] Specify the rollout path to resume from.
 * If specified for a non-running thread, the thread_id param will be ignored.
 * If thread_id identifies a running thread, the path must match the active
 * rollout path.
 */
path?: string | null,
/**
 * Configuration overrides for the resumed thread, if any.
 */
model?: string | null, modelProvider?: string | null, serviceTier?: string | null | null, cwd?: string | null,
/**
 * Replace the thread's runtime workspace roots. Paths must be absolute.
 */
runtimeWorkspaceRoots?: Array<AbsolutePathBuf> | null, approvalPolicy?: AskForApproval | null,
/**
 * Override where approval requests are routed for review on this thread
 * and subsequent turns.
 */
approvalsReviewer?: ApprovalsReviewer | null, sandbox?: SandboxMode | null,
/**
 * Named profile id for the resumed thread. Cannot be combined with
 * `sandbox`.
 */
permissions?: string | null, config?: { [key in string]?: JsonValue } | null, baseInstructions?: string | null, developerInstructions?: string | null,
/**
 * @deprecated `friendly` and `pragmatic` no longer select a style.
 * Changing this does not rewrite the thread's existing instructions.
 */
personality?: Personality | null,
/**
 * When true, return only thread metadata and live-resume state without
 * populating `thread.turns`. This is useful when the client plans to call
 * `thread/turns/list` immediately after resuming. Full-history hydration
 * is deprecated for paginated threads; use this with `thread/turns/list`
 * and `thread/items/list` instead.
 */
excludeTurns?: boolean,
/**
 * When present, include a `thread/turns/list` page in the resume response
 * so clients can bootstrap recent turns without a second request.
 */
initialTurnsPage?: ThreadResumeInitialTurnsPageParams | null, };

export type ThreadResumeResponse = { thread: Thread, model: string, modelProvider: string, serviceTier: string | null,
/**
 * Saved list of disabled plugin IDs. Does not yet filter plugin capabilities.
 */
disabledPluginIds: Array<string>, cwd: AbsolutePathBuf,
/**
 * Thread-scoped runtime workspace roots used to materialize
 * `:workspace_roots`.
 */
runtimeWorkspaceRoots: Array<AbsolutePathBuf>,
/**
 * Environment-native paths to instruction source files currently loaded for this thread.
 */
instructionSources: Array<LegacyAppPathString>, approvalPolicy: AskForApproval,
/**
 * Reviewer currently used for approval requests on this thread.
 */
approvalsReviewer: ApprovalsReviewer,
/**
 * Legacy sandbox policy retained for compatibility. Experimental clients
 * should prefer `activePermissionProfile` for profile provenance.
 */
sandbox: SandboxPolicy,
/**
 * Named or implicit built-in profile that produced the active
 * permissions, when known.
 */
activePermissionProfile: ActivePermissionProfile | null, reasoningEffort: ReasoningEffort | null,
/**
 * Effective collaboration mode. Absent when resuming from an older server.
 */
collaborationMode: CollaborationMode | null,
/**
 * @deprecated Always `explicitRequestOnly`. Use `reasoningEffort` for Ultra behavior.
 */
multiAgentMode: MultiAgentMode,
/**
 * `thread/turns/list` page returned when requested by `initialTurnsPage`.
 */
initialTurnsPage: TurnsPage | null,
/**
 * Opaque cursor for hydrating paginated turns backwards.
 *
 * Pass this as `cursor` to `thread/turns/list` with
 * `sortDirection: "desc"`. The first page includes the turn identified by the cursor.
 */
turnsBackwardsCursor: string | null,
/**
 * Opaque cursor for hydrating paginated items backwards.
 *
 * Pass this as `cursor` to `thread/items/list` with
 * `sortDirection: "desc"`. The first page includes the item identified by the cursor.
 */
itemsBackwardsCursor: string | null, };

/**
 * An independently persisted, user-visible thread section.
 */
export type ThreadSection = {
/**
 * Opaque UUIDv7 identity that remains stable when the section is renamed.
 */
id: string,
/**
 * The current user-visible section name.
 */
name: string,
/**
 * Optional appearance synchronized across clients.
 */
appearance: ThreadSectionAppearance | null, };

/**
 * Extensible visual presentation for a custom thread section.
 */
export type ThreadSectionAppearance = { icon: string | null, color: string | null, };

export type ThreadSetNameParams = { threadId: string, name: string, };

export type ThreadSetNameResponse = Record<string, never>;

export type ThreadSettings = {
/**
 * Saved list of disabled plugin IDs. Does not yet filter plugin capabilities.
 */
disabledPluginIds: Array<string>, cwd: AbsolutePathBuf,
/**
 * Environments configured for future turns, in priority order, primary first.
 * `null` means the server does not expose the selection; [] means none are selected.
 */
environments: Array<ThreadEnvironment> | null, approvalPolicy: AskForApproval, approvalsReviewer: ApprovalsReviewer, sandboxPolicy: SandboxPolicy, activePermissionProfile: ActivePermissionProfile | null, model: string, modelProvider: string, serviceTier: string | null, effort: ReasoningEffort | null, summary: ReasoningSummary | null, collaborationMode: CollaborationMode,
/**
 * @deprecated Always `explicitRequestOnly`. Use `effort` for Ultra behavior.
 */
multiAgentMode: MultiAgentMode,
/**
 * @deprecated Reports the saved setting; `friendly` and `pragmatic` no longer select a style.
 */
personality: Personality | null, };

export type ThreadSettingsUpdateParams = { threadId: string,
/**
 * Replace this thread's disabled plugin IDs.
 * Omitted/null preserves the list; [] clears it.
 */
disabledPluginIds?: Array<string> | null,
/**
 * Override the working directory for subsequent turns.
 */
cwd?: string | null,
/**
 * Replace the environments for future turns without changing the running turn.
 * Omitted/null preserves the selection unless `cwd` is also provided, which selects
 * the default environments for that directory. [] clears the selection.
 */
environments?: Array<TurnEnvironmentParams> | null,
/**
 * Override the approval policy for subsequent turns.
 */
approvalPolicy?: AskForApproval | null,
/**
 * Override where approval requests are routed for subsequent turns.
 */
approvalsReviewer?: ApprovalsReviewer | null,
/**
 * Override the sandbox policy for subsequent turns.
 */
sandboxPolicy?: SandboxPolicy | null,
/**
 * Select a named permissions profile id for subsequent turns. Cannot be
 * combined with `sandboxPolicy`.
 */
permissions?: string | null,
/**
 * Override the model for subsequent turns.
 */
model?: string | null,
/**
 * Override the service tier for subsequent turns. `null` clears the
 * current service tier; omission leaves it unchanged.
 */
serviceTier?: string | null | null,
/**
 * Override the reasoning effort for subsequent turns.
 */
effort?: ReasoningEffort | null,
/**
 * Override the reasoning summary for subsequent turns.
 */
summary?: ReasoningSummary | null,
/**
 * EXPERIMENTAL - Set a pre-set collaboration mode for subsequent turns.
 *
 * For `collaboration_mode.settings.developer_instructions`, `null` means
 * "use the built-in instructions for the selected mode".
 */
collaborationMode?: CollaborationMode | null,
/**
 * @deprecated Ignored. Use `effort: "ultra"` for proactive multi-agent behavior.
 */
multiAgentMode?: MultiAgentMode | null,
/**
 * @deprecated `friendly` and `pragmatic` no longer select a style.
 * Changing this does not rewrite the thread's existing instructions.
 */
personality?: Personality | null, };

export type ThreadSettingsUpdateResponse = Record<string, never>;

export type ThreadSettingsUpdatedNotification = { threadId: string, threadSettings: ThreadSettings, };

export type ThreadSortKey = "created_at" | "updated_at" | "recency_at" | "section_position";

export type ThreadSource = string;

export type ThreadSourceKind = "cli" | "vscode" | "exec" | "appServer" | "subAgent" | "subAgentReview" | "subAgentCompact" | "subAgentThreadSpawn" | "subAgentOther" | "unknown";

export type ThreadStartParams = { model?: string | null, modelProvider?: string | null,
/**
 * Allow a provider with an authoritative static model catalog to replace an unavailable
 * requested model with its default.
 */
allowProviderModelFallback?: boolean, serviceTier?: string | null | null, cwd?: string | null,
/**
 * Replace the thread's runtime workspace roots. Paths must be absolute.
 */
runtimeWorkspaceRoots?: Array<AbsolutePathBuf> | null, approvalPolicy?: AskForApproval | null,
/**
 * Override where approval requests are routed for review on this thread
 * and subsequent turns.
 */
approvalsReviewer?: ApprovalsReviewer | null, sandbox?: SandboxMode | null,
/**
 * Named profile id for this thread. Cannot be combined with `sandbox`.
 */
permissions?: string | null, config?: { [key in string]?: JsonValue } | null, serviceName?: string | null, baseInstructions?: string | null, developerInstructions?: string | null,
/**
 * @deprecated `friendly` and `pragmatic` no longer select a style.
 */
personality?: Personality | null,
/**
 * @deprecated Ignored. Use Ultra reasoning effort for proactive multi-agent behavior.
 */
multiAgentMode?: MultiAgentMode | null, ephemeral?: boolean | null,
/**
 * Persisted thread history contract to use for this new thread.
 */
historyMode?: ThreadHistoryMode | null, sessionStartSource?: ThreadStartSource | null,
/**
 * Optional client-supplied analytics source classification for this thread.
 */
threadSource?: ThreadSource | null,
/**
 * Optional project identity for this new thread. Durable threads persist
 * the assignment; ephemeral threads expose it only in live responses.
 */
projectId?: string | null,
/**
 * Initial Daybreak choice for this persistent thread. Omitted or null
 * leaves it unset. This does not select a turn's `cyberAccessProgram`
 * or grant access. Not supported for ephemeral threads.
 */
daybreakEnabled?: boolean | null,
/**
 * Optional sticky environments for this thread.
 *
 * Omitted selects the default environment when environment access is
 * enabled. Empty disables environment access for turns that do not
 * provide a turn override. Non-empty selects the first environment as the
 * current turn environment.
 */
environments?: Array<TurnEnvironmentParams> | null, dynamicTools?: Array<DynamicToolSpec> | null,
/**
 * Capability roots selected for this thread by the hosting platform.
 */
selectedCapabilityRoots?: Array<SelectedCapabilityRoot> | null,
/**
 * Test-only experimental field used to validate experimental gating and
 * schema filtering behavior in a stable way.
 */
mockExperimentalField?: string | null,
/**
 * If true, opt into emitting raw Responses API items on the event stream.
 * This is for internal use only (e.g. Codex Cloud).
 */
experimentalRawEvents?: boolean, };

export type ThreadStartResponse = { thread: Thread, model: string, modelProvider: string, serviceTier: string | null,
/**
 * Saved list of disabled plugin IDs. Does not yet filter plugin capabilities.
 */
disabledPluginIds: Array<string>, cwd: AbsolutePathBuf,
/**
 * Thread-scoped runtime workspace roots used to materialize
 * `:workspace_roots`.
 */
runtimeWorkspaceRoots: Array<AbsolutePathBuf>,
/**
 * Environment-native paths to instruction source files currently loaded for this thread.
 */
instructionSources: Array<LegacyAppPathString>, approvalPolicy: AskForApproval,
/**
 * Reviewer currently used for approval requests on this thread.
 */
approvalsReviewer: ApprovalsReviewer,
/**
 * Legacy sandbox policy retained for compatibility. Experimental clients
 * should prefer `activePermissionProfile` for profile provenance.
 */
sandbox: SandboxPolicy,
/**
 * Named or implicit built-in profile that produced the active
 * permissions, when known.
 */
activePermissionProfile: ActivePermissionProfile | null, reasoningEffort: ReasoningEffort | null,
/**
 * @deprecated Always `explicitRequestOnly`. Use `reasoningEffort` for Ultra behavior.
 */
multiAgentMode: MultiAgentMode, };

export type ThreadStartSource = "startup" | "clear";

export type ThreadStartedNotification = { thread: Thread, };

export type ThreadStatus = { "type": "notLoaded" } | { "type": "idle" } | { "type": "systemError" } | { "type": "active", activeFlags: Array<ThreadActiveFlag>, };

export type ThreadStatusChangedNotification = { threadId: string, status: ThreadStatus, };

export type ThreadTokenUsage = { total: TokenUsageBreakdown, last: TokenUsageBreakdown, modelContextWindow: number | null, };

export type ThreadTokenUsageUpdatedNotification = { threadId: string, turnId: string, tokenUsage: ThreadTokenUsage, };

export type ThreadTurnsListParams = { threadId: string,
/**
 * Opaque cursor to pass to the next call to continue after the last turn.
 */
cursor?: string | null,
/**
 * Optional turn page size.
 */
limit?: number | null,
/**
 * Optional turn pagination direction; defaults to descending.
 */
sortDirection?: SortDirection | null,
/**
 * How much item detail to include for each returned turn; defaults to summary.
 */
itemsView?: TurnItemsView | null, };

export type ThreadTurnsListResponse = { data: Array<Turn>,
/**
 * Opaque cursor to pass to the next call to continue after the last turn.
 * if None, there are no more turns to return.
 */
nextCursor: string | null,
/**
 * Opaque cursor to pass as `cursor` when reversing `sortDirection`.
 * This is only populated when the page contains at least one turn.
 * Use it with the opposite `sortDirection` to include the anchor turn again
 * and catch updates to that turn.
 */
backwardsCursor: string | null, };

export type ThreadUnarchiveParams = { threadId: string, };

export type ThreadUnarchiveResponse = { thread: Thread, };

export type ThreadUnreadPosition = { "type": "threadStart" } | { "type": "turn", turnId: string, };

export type ThreadUnsubscribeParams = { threadId: string, };

export type ThreadUnsubscribeResponse = { status: ThreadUnsubscribeStatus, };

export type ThreadUnsubscribeStatus = "notLoaded" | "notSubscribed" | "unsubscribed";

export type TokenUsageBreakdown = { totalTokens: number, inputTokens: number, cachedInputTokens: number, cacheWriteInputTokens: number, outputTokens: number, reasoningOutputTokens: number, };

/**
 * Definition for a tool the client can call.
 */
export type Tool = { name: string, title?: string, description?: string, inputSchema: JsonValue, outputSchema?: JsonValue, annotations?: JsonValue, icons?: Array<JsonValue>, _meta?: JsonValue, };

/**
 * A model-facing surface on which a tool can be exposed.
 */
export type ToolExposureSurface = "code_mode" | "deferred" | "direct";

/**
 * EXPERIMENTAL. Captures a user's answer to a request_user_input question.
 */
export type ToolRequestUserInputAnswer = { answers: Array<string>, };

/**
 * EXPERIMENTAL. Defines a single selectable option for request_user_input.
 */
export type ToolRequestUserInputOption = { label: string, description: string, };

/**
 * EXPERIMENTAL. Params sent with a request_user_input event.
 */
export type ToolRequestUserInputParams = { threadId: string, turnId: string, itemId: string, questions: Array<ToolRequestUserInputQuestion>, isBlocking: boolean,
/**
 * @deprecated Use `isBlocking` to decide whether the request should block.
 */
autoResolutionMs: number | null, };

/**
 * EXPERIMENTAL. Represents one request_user_input question and its required options.
 */
export type ToolRequestUserInputQuestion = { id: string, header: string, question: string, isOther: boolean, isSecret: boolean, options: Array<ToolRequestUserInputOption> | null, };

/**
 * EXPERIMENTAL. Response payload mapping question ids to answers.
 */
export type ToolRequestUserInputResponse = { answers: { [key in string]?: ToolRequestUserInputAnswer }, };

export type ToolsV2 = { web_search: WebSearchToolConfig | null, };

export type TrustedContacts = "check" | "skip";

export type Turn = {
/**
 * Identifier for this turn. Codex-generated turn IDs are UUIDv7.
 */
id: string,
/**
 * ID of the first turn in the chain of work that led to this turn.
 * Pass this as `rootTurnId` when starting work on behalf of this turn.
 * May be null in older history or a `review/start` response.
 */
rootTurnId: string | null,
/**
 * Thread items currently included in this turn payload.
 */
items: Array<ThreadItem>,
/**
 * Describes how much of `items` has been loaded for this turn.
 */
itemsView: TurnItemsView, status: TurnStatus,
/**
 * Error associated with a failed or interrupted turn.
 */
error: TurnError | null,
/**
 * Unix timestamp (in seconds) when the turn started.
 */
startedAt: number | null,
/**
 * Unix timestamp (in seconds) when the turn completed.
 */
completedAt: number | null,
/**
 * Duration between turn start and completion in milliseconds, if known.
 */
durationMs: number | null, };

export type TurnCompletedNotification = { threadId: string, turn: Turn, };

/**
 * Notification that the turn-level unified diff has changed.
 * Contains the latest aggregated diff across all file changes in the turn.
 */
export type TurnDiffUpdatedNotification = { threadId: string, turnId: string, diff: string, };

export type TurnEnvironmentParams = { environmentId: string, cwd: LegacyAppPathString,
/**
 * Environment-native runtime workspace roots. Omitted defaults to `cwd`.
 */
runtimeWorkspaceRoots?: Array<LegacyAppPathString> | null, };

export type TurnError = { message: string, codexErrorInfo: CodexErrorInfo | null, additionalDetails: string | null,
/**
 * Optional public explanation and continuation instruction for a misalignment block.
 */
misalignment: MisalignmentErrorDetails | null, };

export type TurnInterruptParams = { threadId: string, turnId: string, };

export type TurnInterruptResponse = Record<string, never>;

export type TurnItemsView = "notLoaded" | "summary" | "full";

export type TurnPlanStep = { step: string, status: TurnPlanStepStatus, };

export type TurnPlanStepStatus = "pending" | "inProgress" | "completed";

export type TurnPlanUpdatedNotification = { threadId: string, turnId: string, explanation: string | null, plan: Array<TurnPlanStep>, };

export type TurnStartParams = { threadId: string,
/**
 * Replace this thread's disabled plugin IDs.
 * Omitted/null preserves the list; [] clears it.
 */
disabledPluginIds?: Array<string> | null, clientUserMessageId?: string | null, input: Array<UserInput>,
/**
 * Optional source classification for the caller that starts this turn.
 * Ignored when this request steers an already-active turn.
 */
turnTrigger?: string | null,
/**
 * ID of the turn that caused this new turn to start.
 *
 * Set this when starting work on behalf of another turn, such as delegated
 * work in a different thread. Leave unset for work started directly by the
 * user. Ignored when this request adds input to an active turn.
 */
parentTurnId?: string | null,
/**
 * ID of the first turn in the chain of work that led to this new turn.
 *
 * When setting `parentTurnId`, set this to the parent turn's `rootTurnId`
 * when known. This keeps descendant work attributed to the original turn.
 * If omitted, the new turn becomes its own root. Ignored when this request
 * adds input to an active turn.
 */
rootTurnId?: string | null, toolOutput?: TurnToolOutput | null,
/**
 * Optional metadata to enrich Codex's ResponsesAPI turn metadata.
 * Replaces unprotected client-provided entries when supplied; an empty map clears them.
 *
 * Entries are flattened into the JSON string sent as
 * `client_metadata["x-codex-turn-metadata"]` on ResponsesAPI HTTP and websocket requests.
 *
 * They are not sent as top-level ResponsesAPI `client_metadata` keys, and reserved keys
 * such as `session_id`, `thread_id`, `turn_id`, and `window_id` cannot be overridden.
 */
responsesapiClientMetadata?: { [key in string]?: string } | null,
/**
 * Merge entries into the ResponsesAPI turn metadata without removing existing entries.
 * Applied after `responsesapiClientMetadata` if both are provided; reserved keys remain protected.
 */
responsesapiClientMetadataPatch?: { [key in string]?: string } | null,
/**
 * Optional client-provided context fragments keyed by an opaque source identifier.
 */
additionalContext?: { [key in string]?: AdditionalContextEntry } | null,
/**
 * Optional environments for this turn and subsequent turns.
 *
 * Omitted uses the thread sticky environments. Empty disables
 * environment access for this turn. Non-empty selects the first
 * environment as the current turn environment for this turn.
 */
environments?: Array<TurnEnvironmentParams> | null,
/**
 * Override the working directory for this turn and subsequent turns.
 */
cwd?: string | null,
/**
 * Replace the thread's runtime workspace roots for this turn and
 * subsequent turns. Paths must be absolute.
 */
runtimeWorkspaceRoots?: Array<AbsolutePathBuf> | null,
/**
 * Override the approval policy for this turn and subsequent turns.
 */
approvalPolicy?: AskForApproval | null,
/**
 * Override where approval requests are routed for review on this turn and
 * subsequent turns.
 */
approvalsReviewer?: ApprovalsReviewer | null,
/**
 * Override the sandbox policy for this turn and subsequent turns.
 */
sandboxPolicy?: SandboxPolicy | null,
/**
 * Select a named permissions profile id for this turn and subsequent
 * turns. Cannot be combined with `sandboxPolicy`.
 */
permissions?: string | null,
/**
 * Override the model for this turn and subsequent turns.
 */
model?: string | null,
/**
 * Override the service tier for this turn and subsequent turns.
 */
serviceTier?: string | null | null,
/**
 * Override the service tier only when this request starts a new turn.
 * Use "default" for standard speed. Omitted or null inherits the thread's tier.
 * Does not change the thread's tier or a turn being steered.
 */
serviceTierForTurn?: string | null,
/**
 * Override the reasoning effort for this turn and subsequent turns.
 */
effort?: ReasoningEffort | null,
/**
 * Override the reasoning summary for this turn and subsequent turns.
 */
summary?: ReasoningSummary | null,
/**
 * @deprecated `friendly` and `pragmatic` no longer select a style.
 * Changing this does not rewrite the thread's existing instructions.
 */
personality?: Personality | null,
/**
 * Optional JSON Schema used to constrain the final assistant message for
 * this turn.
 */
outputSchema?: JsonValue | null,
/**
 * EXPERIMENTAL - Set a pre-set collaboration mode.
 * Takes precedence over model, reasoning_effort, and developer instructions if set.
 *
 * For `collaboration_mode.settings.developer_instructions`, `null` means
 * "use the built-in instructions for the selected mode".
 */
collaborationMode?: CollaborationMode | null,
/**
 * @deprecated Ignored. Use `effort: "ultra"` for proactive multi-agent behavior.
 */
multiAgentMode?: MultiAgentMode | null,
/**
 * EXPERIMENTAL - Request an authorized cyber program for this
 * turn. Omission preserves automatic behavior. This does not grant access.
 */
cyberAccessProgram?: CyberAccessProgram | null, };

export type TurnStartResponse = { turn: Turn, };

export type TurnStartedNotification = { threadId: string, turn: Turn, };

export type TurnStatus = "completed" | "interrupted" | "failed" | "inProgress";

export type TurnSteerParams = { threadId: string, clientUserMessageId?: string | null, input: Array<UserInput>,
/**
 * Optional metadata to enrich Codex's ResponsesAPI turn metadata.
 * Replaces unprotected client-provided entries when supplied; an empty map clears them.
 *
 * Entries are flattened into the JSON string sent as
 * `client_metadata["x-codex-turn-metadata"]` on ResponsesAPI HTTP and websocket requests.
 *
 * They are not sent as top-level ResponsesAPI `client_metadata` keys, and reserved keys
 * such as `session_id`, `thread_id`, `turn_id`, and `window_id` cannot be overridden.
 */
responsesapiClientMetadata?: { [key in string]?: string } | null,
/**
 * Merge entries into the ResponsesAPI turn metadata without removing existing entries.
 * Applied after `responsesapiClientMetadata` if both are provided; reserved keys remain protected.
 */
responsesapiClientMetadataPatch?: { [key in string]?: string } | null,
/**
 * Optional client-provided context fragments keyed by an opaque source identifier.
 */
additionalContext?: { [key in string]?: AdditionalContextEntry } | null,
/**
 * Required active turn id precondition. The request fails when it does not
 * match the currently active turn.
 */
expectedTurnId: string, };

export type TurnSteerResponse = { turnId: string, };

export type TurnToolOutput = { name: string, namespace: string | null, output: FunctionCallOutputBody,
/**
 * Requests retention of this output in the thread's model history.
 */
retain?: boolean, };

export type TurnsPage = { data: Array<Turn>, nextCursor: string | null, backwardsCursor: string | null, };

export type UserInput = { "type": "text", text: string,
/**
 * UI-defined spans within `text` used to render or persist special elements.
 */
text_elements: Array<TextElement>, } | { "type": "image", detail?: ImageDetail, } & ({ url: string, } | { fileId: string, }) | { "type": "localImage", detail?: ImageDetail, path: string, } | { "type": "audio", } & ({ url: string, } | { fileId: string, }) | { "type": "localAudio", path: string, } | { "type": "skill", name: string, path: string, } | { "type": "mention", name: string, path: string, };

/**
 * Controls output length/detail on GPT-5 models via the Responses API.
 * Serialized with lowercase values to match the OpenAI API.
 */
export type Verbosity = "low" | "medium" | "high";

export type WarningNotification = {
/**
 * Optional thread target when the warning applies to a specific thread.
 */
threadId: string | null,
/**
 * Concise warning message for the user.
 */
message: string, };

export type WebSearchAction = { "type": "search", query: string | null, queries: Array<string> | null, } | { "type": "openPage", url: string | null, } | { "type": "findInPage", url: string | null, pattern: string | null, } | { "type": "other" };

export type WebSearchContextSize = "low" | "medium" | "high";

export type WebSearchItem = { id: string, query: string, action: WebSearchAction | null,
/**
 * Structured search results returned out-of-band by standalone web search.
 *
 * These stay as opaque JSON at the extension/app-server boundary so new
 * result fields and result types can pass through without a Codex release.
 */
results: Array<JsonValue> | null, };

export type WebSearchLocation = { country: string | null, region: string | null, city: string | null, timezone: string | null, };

export type WebSearchMode = "disabled" | "cached" | "indexed" | "live";

/**
 * Provider preference selected by the resolved model catalog entry.
 */
export type WebSearchProvider = "standalone" | "search_mcp";

export type WebSearchToolConfig = { context_size: WebSearchContextSize | null, allowed_domains: Array<string> | null, location: WebSearchLocation | null, };

export type WorkspaceRouting = { chatgptAccountId: string, backendOrigin: string, accountRoutingOverride: AccountRoutingOverride, };
