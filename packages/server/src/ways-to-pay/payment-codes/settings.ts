import { type SettingsOf, setting } from '../../platform/config.ts'

const shortCode = (fallback: string) => (text: string | undefined) => {
  if (text !== undefined && !/^[0-9]{2,6}(?:\*[0-9]{2,6}){0,2}$/.test(text))
    throw new Error('must be 2 to 6 digits, or two or three such groups joined by *, such as 384*715')
  return text ?? fallback
}

export const settings = {
  ussdShortCode: setting(
    'USSD_SHORT_CODE',
    '715',
    'Short code that payers dial before the digits of a payment code: a number such as 715, or groups such as 384*715.',
    shortCode('715'),
  ),
} as const

export type PaymentCodeSettings = SettingsOf<typeof settings>
