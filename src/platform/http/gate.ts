import type { Environment, Scope } from '../scope.ts'

/** How a request identifies its caller: a token, or a session cookie with the environment it selects. */
export type CallerCredentials =
  | { authorization: string | undefined }
  | { sessionSecret: string; environment: Environment }

/**
 * A valid token or session. For a session, `tokenId` is the session's id and `session` says how recent the
 * sign-in is.
 */
export type Caller = {
  tokenId: string
  userId: string
  environment: Environment
  session?: { freshUntil: Date }
}

/**
 * A caller's permissions in one Space or in the installation, and whether they can see payers' and payees'
 * personal data.
 */
export type Access = { scope: Scope; may(permission: string): boolean; seesPersonalData: boolean }

/**
 * Authenticates and authorizes callers for the HTTP server; implemented by the `spaces` slice. Its functions
 * throw a `Refusal`.
 */
export type Gate = {
  /** `address`: the caller's IP address. */
  authenticate(credentials: CallerCredentials, address: string): Promise<Caller>
  /** `shownSpaceId`: the value of the header. */
  enter(caller: Caller, shownSpaceId: string, address: string): Promise<Access>
  /**
   * Returns whether the user signed in recently; always true for tokens, which only their owner's program can
   * read.
   */
  isFresh(caller: Caller): Promise<boolean>
  /** Operator access to the installation, which belongs to no Space. */
  enterInstallation(caller: Caller, address: string): Promise<Access>
}
