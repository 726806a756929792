import { useLanguage } from '../text/languages.tsx'

type FailureDetail = { code: string; message: string }

/** The API explains in English; other languages do by its code. */
const french: Record<string, string> = {
  fund_insufficient: 'Le solde du compte ne suffit pas.',
  authorization_failed: 'Le payeur n’a pas autorisé l’opération, ou pas à temps.',
  provider_unknown: 'L’opérateur n’est pas connu.',
  provider_unavailable: 'L’opérateur n’est pas joignable.',
  provider_account_blocked: 'Le compte est bloqué chez l’opérateur.',
  provider_account_missing: 'Ce compte n’existe pas chez l’opérateur.',
  provider_account_quota_exhausted: 'Le plafond du compte chez l’opérateur est atteint.',
  cancelled: 'L’opération a été annulée.',
  rejected: 'L’opérateur a refusé l’opération.',
  unknown: 'L’opérateur n’a pas donné de motif.',
}

/** Why something did not work. */
export function Failure({ of }: { of: FailureDetail | null }) {
  const { language } = useLanguage()
  if (!of) return null
  return <>{(language === 'fr' && french[of.code]) || of.message}</>
}
