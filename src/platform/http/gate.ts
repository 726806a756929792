import type { Environment, Scope } from '../scope.ts'

/** What a request brings to say who sends it: a token, or the cookie of a session and the environment that it means. */
export type CallerCredentials =
  | { authorization: string | undefined }
  | { sessionSecret: string; environment: Environment }

/** Whoever holds a valid token, or is signed in: then `tokenId` is their session, and `session` says how fresh it is. */
export type Caller = {
  tokenId: string
  userId: string
  environment: Environment
  session?: { freshUntil: Date }
}

/** A caller inside one Space, or in the installation: what it may do there, and whether it sees who payers and payees are. */
export type Access = { scope: Scope; may(permission: string): boolean; seesPersonalData: boolean }

/**
 * Who is calling, and what may they do? The `spaces` slice says so to the HTTP server. Its functions refuse by throwing a `Refusal`.
 */
export type Gate = {
  /** `address` is the caller's. */
  authenticate(credentials: CallerCredentials, address: string): Promise<Caller>
  /** `shownSpaceId`: as the header has it. */
  enter(caller: Caller, shownSpaceId: string, address: string): Promise<Access>
  /** Whether a session's person has shown a moment ago who they are. Tokens always have: only their owner's program reads them. */
  isFresh(caller: Caller): Promise<boolean>
  /** The installation, which belongs to no Space: what operators of it may do. */
  enterInstallation(caller: Caller, address: string): Promise<Access>
}
