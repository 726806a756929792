import { connect, type Resource } from './connect.ts'
import { operations, webhooks as webhookCalls } from './generated/operations.ts'
import type { Resources, WebhooksResource } from './generated/resources.ts'
import type { PesewaOptions } from './options.ts'
import { verifyWebhook } from './webhooks.ts'

/** The API calls of a service, grouped by resource. */
export type Pesewa = Resources

/** The calls about webhooks, and `verify`, which sends no request. */
export const webhooks: Resource<WebhooksResource> = { ...webhookCalls, verify: () => verifyWebhook }

class Client {
  constructor(options: PesewaOptions) {
    Object.assign(this, connect(options, { ...operations, webhooks }))
  }
}

/**
 * A client for a Pesewa service. It uses the given token and Space for every call.
 * @throws TypeError if the token or the URL of the service is missing
 */
// Safe: the interface declares the members that the constructor assigns.
export const Pesewa = Client as new (options: PesewaOptions) => Pesewa
