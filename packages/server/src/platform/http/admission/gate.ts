import type { Environment, Scope } from '../../scope.ts'

/**
 * The credentials that identify the caller of a request: a token, or a session cookie and the selected
 * environment.
 */
export type CallerCredentials =
  | { authorization: string | undefined }
  | { sessionSecret: string; environment: Environment }

/**
 * The caller who was identified by a valid token or session. For a session, `tokenId` is the id of the session,
 * and `session` contains the time until which its sign-in counts as recent.
 */
export type Caller = {
  tokenId: string
  userId: string
  environment: Environment
  session?: { freshUntil: Date }
  /** Name of the operator whose command makes the call in its own process. Such a caller has no user. */
  operator?: string
}

/**
 * A caller's permissions in one Space or in the installation, and whether they can see payers' and payees'
 * personal data.
 */
export type Access = { scope: Scope; may(permission: string): boolean; seesPersonalData: boolean }

/**
 * Authenticates and authorizes callers of the HTTP server. Implemented by the `spaces` slice. Its functions
 * throw a `Refusal`.
 */
export type Gate = {
  /** Identifies the caller. `address` is the caller's IP address. */
  authenticate(credentials: CallerCredentials, address: string): Promise<Caller>
  /** Checks the caller's access to a Space. `shownSpaceId` is the value of the `Service-Space-Id` header. */
  enter(caller: Caller, shownSpaceId: string, address: string): Promise<Access>
  /**
   * Returns whether the user signed in recently. It is always true for tokens, because only a program of their
   * owner can read them.
   */
  isFresh(caller: Caller): Promise<boolean>
  /**
   * Checks that the caller is an operator and returns their access to the installation, which belongs to no
   * Space.
   */
  enterInstallation(caller: Caller, address: string): Promise<Access>
}
