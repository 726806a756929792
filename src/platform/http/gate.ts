import type { Environment, Scope } from '../scope.ts'

/** Whoever holds a valid token. */
export type Caller = { tokenId: string; userId: string; environment: Environment }

/** A caller inside one Space, or in the installation: what it may do there. */
export type Access = { scope: Scope; may(permission: string): boolean }

/**
 * Who is calling, and what may they do? The `spaces` slice says so to the HTTP server. Its functions refuse by throwing a `Refusal`.
 */
export type Gate = {
  /** `authorization` is the header's text, `address` the caller's. */
  authenticate(authorization: string | undefined, address: string): Promise<Caller>
  /** `shownSpaceId`: as the header has it. */
  enter(caller: Caller, shownSpaceId: string, address: string): Promise<Access>
  /** The installation, which belongs to no Space: what operators of it may do. */
  enterInstallation(caller: Caller, address: string): Promise<Access>
}
