export {
  /**
   * A route handler of Next.js: `export const POST = nextWebhook(secret, onEvent)` in `app/hook/route.ts`. In `pages/api` it is
   * `expressWebhook` of `pesewa/express`, with `export const config = { api: { bodyParser: false } }`.
   */
  fetchWebhook as nextWebhook,
  type OnEvent,
  type ReceiverOptions,
} from './fetch.ts'
