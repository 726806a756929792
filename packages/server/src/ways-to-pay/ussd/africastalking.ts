import type { Aggregator } from './aggregator.ts'

/**
 * The protocol of Africa's Talking. A request is a form with `sessionId`, `serviceCode`, `phoneNumber`,
 * `networkCode` and `text`, which contains all inputs so far, joined by `*`. Digits dialled together with the
 * short code (`*715*5773920187#`) arrive in `serviceCode` or as the first input. The response is a text that
 * starts with `CON` if the session continues, or with `END` if it is over.
 */
export const africasTalking: Aggregator = {
  name: 'africastalking',
  bodyType: 'application/x-www-form-urlencoded',
  read(form, shortCode) {
    const { sessionId, serviceCode = '', phoneNumber, networkCode = '', text } = form
    // This is the end-of-session notification, which may be configured to use the same URL.
    if (text === undefined && form.status !== undefined) return 'notice'
    if (!sessionId || !phoneNumber || text === undefined) return undefined
    const inputs = text === '' ? [] : text.split('*')
    return {
      sessionId,
      phoneNumber,
      network: networkCode,
      number: dialledThrough(serviceCode, shortCode) ?? inputs[0]?.trim(),
      input: inputs.at(-1) ?? '',
      step: text,
    }
  },
  formatReply: ({ text, ends }) => ({
    contentType: 'text/plain; charset=utf-8',
    body: `${ends ? 'END' : 'CON'} ${text}`,
  }),
}

function dialledThrough(serviceCode: string, shortCode: string): string | undefined {
  const start = `*${shortCode}*`
  return serviceCode.startsWith(start) ? serviceCode.slice(start.length).replace(/#$/, '') : undefined
}
