import type { api, ResultOf } from '../../api/client.ts'
import { Status } from '../../parts/status.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

export type Recall = ResultOf<typeof api.recalls.retrieve>

const toneOf = { open: 'open', returned: 'completed', refused: 'failed', cancelled: 'closed' }

export function RecallStatus({ of }: { of: Recall['status'] }) {
  const t = useTexts(texts)
  return <Status of={toneOf[of]} words={t.states[of]} />
}
