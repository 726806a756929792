import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'
import { ObjectLink } from './object-link.tsx'

const texts = inLanguages(
  {
    kinds: {
      payment: 'Payment',
      payout: 'Payout',
      refund: 'Refund',
      recall: 'Recalled payout',
      internal_transfer: 'Transfer',
    } as Record<string, string>,
    fees: {
      payment: 'Fee for a payment',
      payout: 'Fee for a payout',
      refund: 'Fee for a refund',
    } as Record<string, string>,
    feesReturned: {
      payment: 'Returned fee for a payment',
      payout: 'Returned fee for a payout',
      refund: 'Returned fee for a refund',
    } as Record<string, string>,
    fee: 'Fee',
  },
  {
    kinds: {
      payment: 'Paiement',
      payout: 'Versement',
      refund: 'Remboursement',
      recall: 'Versement rappelé',
      internal_transfer: 'Virement',
    } as Record<string, string>,
    fees: {
      payment: 'Frais de paiement',
      payout: 'Frais de versement',
      refund: 'Frais de remboursement',
    } as Record<string, string>,
    feesReturned: {
      payment: 'Frais de paiement rendus',
      payout: 'Frais de versement rendus',
      refund: 'Frais de remboursement rendus',
    } as Record<string, string>,
    fee: 'Frais',
  },
)

type Owner = { type?: string; id?: string } | Record<string, never> | null

/** The object that money moved for or is held for, by its type; none where it is the Space itself. */
const objectOf = (owner: Owner) =>
  owner?.type && owner.id && owner.type !== 'space' ? { type: owner.type, id: owner.id } : undefined

type Props = { type: 'credit' | 'debit'; feeCode: string | null; owner: Owner }

/** What a line of the ledger is: a fee, or what its money moved for, with the way to that. */
export function LineKind({ type, feeCode, owner }: Props) {
  const t = useTexts(texts)
  const object = objectOf(owner)
  const kind =
    feeCode === null
      ? object && (t.kinds[object.type] ?? object.type)
      : ((type === 'debit' ? t.fees : t.feesReturned)[feeCode] ?? t.fee)
  return object ? <ObjectLink id={object.id}>{kind}</ObjectLink> : kind
}

/** What money is held for, with the way to it. */
export function HeldFor({ owner }: { owner: Owner }) {
  const t = useTexts(texts)
  const object = objectOf(owner)
  return object ? <ObjectLink id={object.id}>{t.kinds[object.type] ?? object.type}</ObjectLink> : null
}
