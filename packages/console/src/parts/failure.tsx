import { useLanguage } from '../text/languages.tsx'

type FailureDetail = { code: string; message: string }

/** French messages by error code, because the API's messages are in English. */
const french: Record<string, string> = {
  fund_insufficient: 'Le solde du compte est insuffisant.',
  authorization_failed: 'Le payeur n’a pas autorisé l’opération à temps.',
  provider_unknown: 'Ce prestataire est inconnu.',
  provider_unavailable: 'Le prestataire est injoignable.',
  provider_account_blocked: 'Le compte est bloqué chez le prestataire.',
  provider_account_missing: 'Ce compte n’existe pas chez le prestataire.',
  provider_account_quota_exhausted: 'Le plafond du compte chez le prestataire est atteint.',
  cancelled: 'L’opération a été annulée.',
  rejected: 'Le prestataire a refusé l’opération.',
  unknown: 'Le prestataire n’a pas indiqué de motif.',
}

/** Explains why a payment, payout or other operation failed. */
export function Failure({ of }: { of: FailureDetail | null }) {
  const { language } = useLanguage()
  if (!of) return null
  return <>{(language === 'fr' && french[of.code]) || of.message}</>
}
