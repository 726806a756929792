// Helpers for testing an integration: signed events, which do not require a service, and simulated payers and
// phones in the test environment. To move the test clock, call the client's `testClock.move`.
export { type SignedWebhook, signWebhook, testEvent } from './testing/events.ts'
export { payAs, type TestPageAnswer, type TestPayer, type TestPayerOptions } from './testing/payer.ts'
export { TestPhone, type TestPhoneOptions, type TestPhonePrompt, type TestScreen } from './testing/phone.ts'
export { type UntilOptions, until } from './testing/until.ts'
