export {
  /**
   * Returns a Next.js route handler: `export const POST = nextWebhook(secret, onEvent)` in `app/hook/route.ts`.
   * In `pages/api`, use `expressWebhook` from `pesewa/express` with `export const config = { api: { bodyParser:
   * false } }`.
   */
  fetchWebhook as nextWebhook,
  type OnEvent,
  type ReceiverOptions,
} from './fetch.ts'
