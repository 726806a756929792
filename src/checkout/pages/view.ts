import type { ProviderType } from '../../providers/provider.ts'
import type { Language } from './language.ts'

/** Contents of a session's page. Amounts are formatted; our own URLs are paths. */
export type CheckoutView = {
  language: Language
  nonce: string
  /** Merchant's name shown to payers. */
  merchant: string
  /** Path on this server. */
  logo?: string
  /** Name of the session. */
  name: string
  /** Order number, 12 digits. */
  orderNumber: string
  description?: string
  total: string
  items: CheckoutItem[]
  /** `#RGB` or `#RRGGBB`. */
  brand?: string
  environment: 'test' | 'live'
  /** Path of the simulated phones, in the test environment. */
  handsetsUrl?: string
  /** Full URL of the page, shown as a QR code for another device. */
  address?: string
  state: CheckoutState
} & Help

/** Support contacts and terms shown to payers. */
export type Help = { supportEmail?: string; supportPhone?: string; termsUrl?: string }

export type CheckoutItem = {
  name: string
  description?: string
  /** Shown if it is an https URL. */
  image?: string
  quantity: number
  price: string
  total: string
}

export type CheckoutState =
  | ({
      kind: 'choose'
      payAction: string
      cancelAction?: string
      /** Most likely first. Payment methods follow the order of their first providers. */
      providers: OfferedProvider[]
      /** Id of the preselected provider. Defaults to the first available one. */
      provider?: string
      /** Calling code, such as `+232`, if all mobile money providers share it. */
      dialCode?: string
      /** Failure code and payment method of the last attempt, if it failed. */
      failure?: { code: string; type: ProviderType }
      /** Issue with the posted form. */
      fault?: FormIssue
      expiry?: { at: Date; timeZone: string }
      formToken: string
      /** The payer's input; a phone number may be in E.164 format. */
    } & { [field in AccountField]?: string })
  | {
      kind: 'waiting'
      type: ProviderType
      /** Provider's name. */
      provider: string
      /** Payer's account, masked; absent for a card. */
      account?: string
      /** Page of the bank, wallet or card acquirer on which the payer continues. */
      continueUrl?: string
      /** Provider's instructions to the payer, with their language. */
      guidance?: { text?: string; language?: string; dialString?: string }
      /** Code that payers dial to find a request if no prompt appeared. */
      approvalCode?: string
      /** Minutes until the session expires and no new attempt can start. */
      minutesLeft?: number
      /**
       * Form for the code that the provider sends to the payer; `isAgain` means that a code was already
       * submitted.
       */
      code?: { action: string; formToken: string; isFaulty: boolean; isAgain: boolean }
      /** True if no further code can be submitted and the provider decides. */
      hasGivenCode?: boolean
      /** URL that returns `{"status": "waiting" | "done"}`. */
      statusUrl: string
      /** URL of this page, or of the next one once the wait is over. */
      waitUrl: string
      slow?: boolean
    }
  | { kind: 'paid'; receiptUrl?: string; returnUrl?: string }
  | { kind: 'cancelled'; returnUrl?: string }
  | { kind: 'expired'; returnUrl?: string }
  /** The payment link did not accept the payment. `isOver`: the link has ended; `linkPath`: otherwise, its path. */
  | { kind: 'linkClosed'; isOver: boolean; linkPath?: string; returnUrl?: string }
  /** The Space is suspended. */
  | { kind: 'suspended'; returnUrl?: string }

export type OfferedProvider = {
  id: string
  name: string
  type: ProviderType
  /** Operator's message, if the provider is paused. */
  unavailable?: string
  /** `#RGB` or `#RRGGBB`. */
  color?: string
  /** Path on this server. */
  logo?: string
  /** True if the payer approves on the provider's page. */
  hasPage?: boolean
}

/** Form field for the account, by payment method. A card has none: its number is entered on the card page. */
export const accountFields = { momo: 'phone', bank: 'accountNumber', wallet: 'walletId' } as const
export type AccountField = (typeof accountFields)[keyof typeof accountFields]

export type FormIssue =
  | { field: 'provider' | AccountField; code: 'missing' | 'invalid' }
  /** The number looks like another provider's; unless that is certain, the payer may continue. */
  | {
      field: 'phone'
      code: 'otherNetwork'
      looksLike: string
      chosen: { id: string; name: string }
      instead?: { id: string; name: string }
      isCertain: boolean
    }
  /** The phone has reached its prompt limit, so no prompt was sent. */
  | { field: 'phone'; code: 'askedOften'; waitMinutes: number }

export type MessageView = {
  language: Language
  nonce: string
  message: 'notFound' | 'tooMany' | 'failed'
}
