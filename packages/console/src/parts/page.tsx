import { type ComponentChildren, createContext } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useLanguage } from '../text/languages.tsx'
import { addresses, type PagePath } from './addresses.ts'

/** Returns a function that returns the label of a page in the menu. */
export function usePageLabel(): (path: PagePath) => string {
  const { language } = useLanguage()
  return (path) => addresses.find((address) => address.path === path)?.label?.[language] ?? ''
}

type HeadProps = {
  title: string
  /** The parent page, if there is one: its path in `addresses`, or its title and path. */
  above?: PagePath | { title: string; path: string }
  children?: ComponentChildren
}

/** The title of a page and its actions. */
export function PageHead({ title, above, children }: HeadProps) {
  const labelOf = usePageLabel()
  useEffect(() => {
    document.title = `${title} · Pesewa`
  }, [title])
  const parent = typeof above === 'string' ? { title: labelOf(above), path: above } : above
  return (
    <div class="head">
      {parent && (
        <p class="above">
          <Link href={parent.path}>{parent.title}</Link>
        </p>
      )}
      <div class="title">
        <h1>{title}</h1>
        <div class="actions">{children}</div>
      </div>
    </div>
  )
}

/** The head of a page whose title is its label in the menu. */
export const MenuPageHead = ({ page, children }: { page: PagePath; children?: ComponentChildren }) => (
  <PageHead title={usePageLabel()(page)}>{children}</PageHead>
)

/** Title of the section that contains a component. It is also the label of a table. */
export const SectionTitle = createContext('')

type SectionProps = {
  title: string
  /** A link or button next to the title. */
  more?: ComponentChildren
  children: ComponentChildren
}

/** A titled section of a page. */
export function Section({ title, more, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div class="title">
        <h2 id={id}>{title}</h2>
        {more && <div class="actions">{more}</div>}
      </div>
      <SectionTitle.Provider value={title}>{children}</SectionTitle.Provider>
    </section>
  )
}

/** A list of labelled values. Entries without a value are omitted. */
export function Facts({ of }: { of: [label: string, value: ComponentChildren][] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
