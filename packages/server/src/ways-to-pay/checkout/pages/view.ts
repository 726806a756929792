import type { ProviderType } from '@pesewa/connector-kit'
import type { Language } from './language.ts'

/** The contents of a session's page. Amounts have already been formatted, and our own URLs are paths. */
export type CheckoutView = {
  language: Language
  nonce: string
  /** Path of the page on this server. */
  path: string
  /** The merchant's name as shown to payers. */
  merchant: string
  /** Path of the merchant's logo on this server or, in a preview, the logo as a `data:` URL. */
  logo?: string
  /** Name of the session. */
  name: string
  /** Order number of 12 digits. */
  orderNumber: string
  description?: string
  total: string
  items: CheckoutItem[]
  /** The merchant's brand colour, in the form `#RGB` or `#RRGGBB`. */
  brand?: string
  environment: 'test' | 'live'
  /** Path of the page with the simulated phones, in the test environment. */
  handsetsUrl?: string
  /** Full URL of the page, if it is shown as a QR code for another device. */
  address?: string
  /** Colour scheme of a preview in the console, which runs no scripts. Otherwise, the browser chooses the scheme. */
  scheme?: 'light' | 'dark'
  state: CheckoutState
} & Help

/** Support contacts and terms shown to payers. */
export type Help = { supportEmail?: string; supportPhone?: string; termsUrl?: string }

export type CheckoutItem = {
  name: string
  description?: string
  /** URL of an image of the item, shown only if it is an https URL. */
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
      /** Providers, with the most likely one first. Payment methods are in the order of their first providers. */
      providers: OfferedProvider[]
      /** Payment method that is expanded. Defaults to that of the first provider. */
      way?: ProviderType | undefined
      /** Id of the provider that the payer chose, if a number does not choose it. */
      provider?: string | undefined
      /** Calling code that all mobile money providers share, such as `+232`. */
      dialCode?: string | undefined
      /** An example of a number, in national format if all providers share a calling code. */
      phoneExample?: string | undefined
      /** The failure of the last attempt and its payment method. */
      failure?: { code: string; message?: string; type: ProviderType }
      /** Issue with the posted form. */
      fault?: FormIssue
      /** A request that is still open while the payer chooses another account. */
      open?: OpenRequest
      /** Form that opens the code to dial, if the payer can dial instead. */
      dial?: DialForm
      expiry?: { at: Date; timeZone: string }
      formToken: string
      /** The payer's input; a phone number may be in E.164 format. */
    } & { [field in AccountField]?: string })
  | {
      kind: 'waiting'
      type: ProviderType
      /** The provider's name. */
      provider: string
      /** The payer's account, masked; missing for a card. */
      account?: string
      /** URL of the bank's, wallet's or card acquirer's page on which the payer continues. */
      continueUrl?: string
      /** The provider's instructions to the payer, and their language. */
      guidance?: { text?: string; language?: string; dialString?: string }
      /** Code that payers can dial to find a payment request that did not appear on their phone. */
      approvalCode?: string
      /** Minutes until the session expires, after which no new attempt can be started. */
      minutesLeft?: number
      /** When the provider's request expires, formatted, and the seconds until then; zero if it is over. */
      prompt?: { at: string; secondsLeft: number }
      /** Path of the form in which the payer can choose another account, unless that is not possible now. */
      anotherUrl?: string
      /** Form that opens the code to dial, if the payer can dial instead. */
      dial?: DialForm
      /** An earlier request of this session that is still open, too. */
      open?: Pick<OpenRequest, 'provider' | 'account'>
      /**
       * Form for the code that the provider sends to the payer. `isAgain` is true if a code has already been
       * submitted.
       */
      code?: { action: string; formToken: string; isFaulty: boolean; isAgain: boolean }
      /** True if a code has been submitted and no further code can be submitted. */
      hasGivenCode?: boolean
      /** URL that returns `{"status": "waiting" | "done"}`. */
      statusUrl: string
      /** URL of this page, or of the next one once the wait is over. */
      waitUrl: string
      slow?: boolean
    }
  | {
      kind: 'dial'
      /** Text that the payer dials, such as `*715*5773920187#`. */
      code: string
      /** True if the page is shown on a phone, which can dial the code. */
      isPhone: boolean
      /** A request of this session that is still open. */
      open?: Pick<OpenRequest, 'provider' | 'account'>
      minutesLeft?: number
      statusUrl: string
      waitUrl: string
      /** Path of the page from which the payer came. */
      backUrl: string
    }
  | {
      kind: 'paid'
      /** The payment that paid the order. `at` has been formatted. */
      payment?: { provider: string; account?: string; at: string }
      receiptUrl?: string
      returnUrl?: string
      /** Money that was or is being returned to the payer. */
      moneyBack?: MoneyBack[]
      /** A request of this session that is still open, although the order has been paid. */
      open?: Pick<OpenRequest, 'provider' | 'account'>
    }
  | { kind: 'cancelled'; returnUrl?: string }
  | { kind: 'expired'; returnUrl?: string }
  /** The payment link did not accept the payment. `isOver`: the link has ended; `linkPath`: otherwise, its path. */
  | { kind: 'linkClosed'; isOver: boolean; linkPath?: string; returnUrl?: string }
  /** The Space is suspended. */
  | { kind: 'suspended'; returnUrl?: string }

/** A form without fields. Its response leads to the page with the code to dial. */
export type DialForm = { action: string; formToken: string }

/** A payment request to which the payer has not responded. */
export type OpenRequest = {
  provider: string
  /** The payer's account, masked; missing for a card. */
  account?: string
  /** Id of the attempt, if the form starts another one in addition to it. */
  supersedes?: string
  /** Path of the page that waits for the request. */
  waitUrl: string
}

/**
 * Money of a payment that is returned to its payer. `twice` is a payment of an order that had already been paid;
 * `refund` is a refund of the payment that paid the order. Amounts and dates have been formatted.
 */
export type MoneyBack =
  | { kind: 'twice'; amount: string; account: string; state: 'pending' | 'failed' }
  | { kind: 'twice'; amount: string; account: string; state: 'done'; date: string }
  | { kind: 'refund'; amount: string; account: string; date: string }

export type OfferedProvider = {
  id: string
  name: string
  type: ProviderType
  /** The operator's message, if the provider is paused. */
  unavailable?: string
  /** The provider's colour, in the form `#RGB` or `#RRGGBB`. */
  color?: string
  /** Prefixes of the provider's numbers, in E.164 with `+`. */
  prefixes?: readonly string[]
  /** Path of the provider's logo on this server. */
  logo?: string
  /** Paths of the logos of the card networks. */
  networkLogos?: string[]
  /** True if the payer approves the payment on the provider's page. */
  hasPage?: boolean
}

/**
 * Names of the form fields for the account, by payment method. A card has no field, because its number is
 * entered on the card page.
 */
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
  /** A request to this account is still open. */
  | { field: AccountField; code: 'alreadyAsked' }
  /** The phone has reached its prompt limit, so no prompt was sent. */
  | { field: 'phone'; code: 'askedOften'; waitMinutes: number }

export type MessageView = {
  language: Language
  nonce: string
  message: 'notFound' | 'tooMany' | 'failed'
}
