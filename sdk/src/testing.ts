// For tests of what is built on the service: signed events without it, and payers and phones of its test environment. Its clock is moved by
// the client itself: `pesewa.testClock.move({ advance: '1h' })`.
export { type SignedWebhook, signWebhook, testEvent } from './testing/events.ts'
export { payAs, type TestPageAnswer, type TestPayer, type TestPayerOptions } from './testing/payer.ts'
export { TestPhone, type TestPhoneOptions, type TestPhonePrompt, type TestScreen } from './testing/phone.ts'
export { type UntilOptions, until } from './testing/until.ts'
