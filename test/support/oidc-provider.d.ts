/** As much of the package as tests use: it has no types of its own, and those that others wrote bring 16 packages along. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export class Provider {
    readonly issuer: string
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
  }
}
