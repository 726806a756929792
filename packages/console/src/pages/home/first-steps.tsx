import { useCurrentSpace } from '../../api/scope.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { useTexts } from './texts.ts'

/** Instructions for a Space that has no payments yet. */
export function FirstSteps() {
  const t = useTexts()
  const isTest = useCurrentSpace().scope.environment === 'test'
  return (
    <Section title={t.begin}>
      <p class="intro muted">{t.beginWhy}</p>
      <ol class="steps card">
        <li>
          <strong>
            <PageLink to="/checkout-sessions/new">{t.beginLink}</PageLink>
          </strong>
          <p>{t.beginLinkWhy}</p>
        </li>
        <li>
          <strong>{isTest ? <PageLink to="/try">{t.beginPay}</PageLink> : t.beginPay}</strong>
          <p>{isTest ? t.beginPayWhy : t.beginPayLive}</p>
        </li>
        <li>
          <strong>{t.beginSee}</strong>
          <p>{t.beginSeeWhy}</p>
        </li>
      </ol>
    </Section>
  )
}
