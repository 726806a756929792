import { usePermissions } from '../../api/scope.tsx'
import { MenuPageHead } from '../../parts/page.tsx'
import { WaitingBatches } from './batches.tsx'
import { WaitingPayouts } from './payouts.tsx'
import { WaitingRefunds } from './refunds.tsx'
import './approvals.css'
import { useTexts } from './texts.ts'

/** The page that lists the payouts, batches and refunds that await approval. */
export default function Approvals() {
  const t = useTexts()
  const may = usePermissions()
  return (
    <>
      <MenuPageHead page="/approvals" />
      <p class="muted">{t.intro}</p>
      {may('payouts:approve') && <WaitingPayouts />}
      {may('payouts:approve') && <WaitingBatches />}
      {may('refunds:approve') && <WaitingRefunds />}
    </>
  )
}
