// Helpers for testing an integration: signed events, which need no service, and simulated payers and phones in
// the test environment. Move the test clock with the client: `pesewa.testClock.move({ advance: '1h' })`.
export { type SignedWebhook, signWebhook, testEvent } from './testing/events.ts'
export { payAs, type TestPageAnswer, type TestPayer, type TestPayerOptions } from './testing/payer.ts'
export { TestPhone, type TestPhoneOptions, type TestPhonePrompt, type TestScreen } from './testing/phone.ts'
export { type UntilOptions, until } from './testing/until.ts'
