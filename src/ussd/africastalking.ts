import type { Aggregator } from './aggregator.ts'

/**
 * Africa's Talking: a form with `sessionId`, `serviceCode`, `phoneNumber`, `networkCode` and `text`, all inputs so far
 * joined by `*`. Digits that were dialled through (`*715*5773920187#`) come in `serviceCode` or as the first input.
 * The response is text that begins with `CON` when the menu goes on and with `END` when it is over.
 */
export const africasTalking: Aggregator = {
  name: 'africastalking',
  bodyType: 'application/x-www-form-urlencoded',
  read(form, shortCode) {
    const { sessionId, serviceCode = '', phoneNumber, networkCode = '', text } = form
    // The notice of a session's end, where it was configured to come to the same address.
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
  show: ({ text, ends }) => ({
    contentType: 'text/plain; charset=utf-8',
    body: `${ends ? 'END' : 'CON'} ${text}`,
  }),
}

function dialledThrough(serviceCode: string, shortCode: string): string | undefined {
  const start = `*${shortCode}*`
  return serviceCode.startsWith(start) ? serviceCode.slice(start.length).replace(/#$/, '') : undefined
}
