import { CornerDownLeft, FileText, Search as SearchIcon, X } from 'lucide-preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { statusOf } from '../api/errors.ts'
import { type FoundObject, useSearch } from '../api/search.ts'
import { placeOf } from '../parts/addresses.ts'
import { ErrorNotice } from '../parts/notices.tsx'
import { Status } from '../parts/status.tsx'
import { Money, Time } from '../text/format.tsx'
import { icons } from './icons.ts'
import { useAmountLists, useMatchingPages } from './search-pages.ts'
import { useSearchTexts } from './search-texts.ts'
import { useTexts } from './texts.ts'

const pauseMs = 150

/**
 * The search for objects and pages. The field keeps the focus, and the arrow keys choose one of the links below
 * it, as in any combobox. The list is always open.
 */
export default function SearchDialog({ onClose }: { onClose(): void }) {
  const { search } = useTexts()
  const t = useSearchTexts()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const q = useSettled(text.trim())
  const { found, isSearching, error } = useSearch(q)
  const objects = found.filter(({ type }) => type in pageOfType)
  const pages = [...useAmountLists(q, objects), ...useMatchingPages(text)]
  const count = pages.length + objects.length
  const [chosen, setChosen] = useState(0)
  const current = Math.min(chosen, count - 1)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current, count])
  const choose = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && count > 0) setChosen((current + step + count) % count)
    else if (event.key === 'Enter') list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.click()
    else return
    event.preventDefault()
  }
  const optionOf = (index: number) => ({
    id: `${id}-${index}`,
    role: 'option' as const,
    tabIndex: -1,
    'aria-selected': index === current,
    onClick: onClose,
  })
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does this, too.
    <dialog
      ref={dialog}
      class="search"
      aria-label={search}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div class="search-field">
        <SearchIcon size={20} />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={count > 0 ? `${id}-${current}` : undefined}
          aria-label={search}
          placeholder={t.searchHint}
          maxLength={100}
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="go"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={choose}
        />
        <button type="button" class="icon-button" aria-label={t.closeSearch} onClick={onClose}>
          <X size={20} />
        </button>
      </div>
      <div class="found" id={id} ref={list} role="listbox" aria-label={t.results} tabIndex={-1}>
        {objects.map((object, i) => (
          <Link {...optionOf(i)} key={object.id} href={`${pageOfType[object.type]}/${object.id}`}>
            <ObjectRow object={object} />
          </Link>
        ))}
        {pages.map(({ path, name, section }, i) => {
          const place = placeOf(path)
          const Icon = place ? icons[place.section.id] : FileText
          return (
            <Link {...optionOf(objects.length + i)} key={path} href={path}>
              <Icon size={20} />
              <span class="what">
                <b>{name}</b>
                <small>{section || t.page}</small>
              </span>
              <CornerDownLeft class="enter" size={16} />
            </Link>
          )
        })}
      </div>
      <p class={count > 0 || isSearching ? 'unseen' : 'nothing'} role="status">
        {isSearching ? t.searching : t.found(count)}
      </p>
      {error && statusOf(error) !== 404 && <ErrorNotice error={error} />}
    </dialog>
  )
}

function ObjectRow({
  object: { type, title, subtitle, status, amount, createTime },
}: {
  object: FoundObject
}) {
  const { types } = useSearchTexts()
  const place = placeOf(pageOfType[type] ?? '')
  const Icon = place ? icons[place.section.id] : FileText
  return (
    <>
      <Icon size={20} />
      <span class="what">
        <b>{title}</b>
        <small>
          {types[type]} · {subtitle && <span>{subtitle} · </span>}
          <Time at={createTime} isExact />
        </small>
      </span>
      <span class="figures">
        {amount && <Money of={amount} />}
        {status && <Status of={status} />}
      </span>
    </>
  )
}

/** The list whose pages show the objects of a type. Objects of other types are left out. */
const pageOfType: Record<string, string> = {
  payment: '/payments',
  payout: '/payouts',
  payout_batch: '/payout-batches',
  refund: '/refunds',
  recall: '/recalls',
  checkout_session: '/checkout-sessions',
  payment_link: '/payment-links',
  payment_code: '/payment-codes',
  internal_transfer: '/internal-transfers',
  financial_account: '/financial-accounts',
  settlement: '/settlements',
  case: '/cases',
  webhook: '/webhooks',
  event: '/events',
  delivery: '/deliveries',
  request: '/requests',
}

/** Returns a text once the user has stopped typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
