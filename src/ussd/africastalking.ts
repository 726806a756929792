import type { Aggregator } from './aggregator.ts'

/**
 * Africa's Talking: a form with `sessionId`, `serviceCode`, `phoneNumber`, `networkCode` and `text`, which
 * contains all inputs so far, joined by `*`. Digits dialled with the short code (`*715*5773920187#`) arrive in
 * `serviceCode` or as the first input. The response is text that starts with `CON` if the menu continues and
 * with `END` if it is over.
 */
export const africasTalking: Aggregator = {
  name: 'africastalking',
  bodyType: 'application/x-www-form-urlencoded',
  read(form, shortCode) {
    const { sessionId, serviceCode = '', phoneNumber, networkCode = '', text } = form
    // The end-of-session notification, if it is configured to use the same URL.
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
