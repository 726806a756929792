import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { lazy } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'
import { DeadEnd } from './dead-end.tsx'

// The code of a page comes with its first visit. It may not come: the network fails for a moment, or a newer version has taken the place of
// this one, whose files are gone.

const texts = inLanguages(
  {
    title: 'This page cannot be shown',
    unloaded: 'It could not be loaded. Check your connection.',
    broken: 'Something went wrong on this page. Your changes were not lost.',
    again: 'Try again',
  },
  {
    title: 'Cette page ne peut pas être affichée',
    unloaded: 'Le chargement a échoué. Vérifiez votre connexion.',
    broken: 'Une erreur s’est produite sur cette page. Vos modifications ne sont pas perdues.',
    again: 'Réessayer',
  },
)

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

const pauseMs = 700
const reloadedAs = 'pesewa.reloaded'

/** The code of a page did not come, neither at once nor a moment later. */
class CodeMissing extends Error {}

/** Loads code, once more after a moment; then loads the whole console anew where it is another than the one that runs. */
async function loadCode<Props>(load: Load<Props>): Promise<{ default: ComponentType<Props> }> {
  try {
    return await load().catch(async (error: unknown) => {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      // A browser remembers that an address failed: the same file is asked for by another.
      const [address] = /https?:\/\/\S+\.js/.exec(String(error)) ?? []
      return address ? import(/* @vite-ignore */ `${address}?again=${Date.now()}`) : load()
    })
  } catch (cause) {
    if (await isReplaced()) {
      location.reload()
      return new Promise(() => {})
    }
    throw new CodeMissing('', { cause })
  }
}

/**
 * Whether the server has another version of the console than the one that runs, for which it was not reloaded before. A file that failed is
 * remembered as that by some browsers, so the whole page is what helps.
 */
async function isReplaced(): Promise<boolean> {
  const page = await fetch('/console', { cache: 'no-store' })
    .then((response) => (response.ok ? response.text() : ''))
    .catch(() => '')
  const [offered] = /\/console\/assets\/index-[\w-]+\.js/.exec(page) ?? []
  const isRunning = [...document.scripts].some(({ src }) => offered && src.endsWith(offered))
  if (!offered || isRunning || sessionStorage.getItem(reloadedAs) === offered) return false
  sessionStorage.setItem(reloadedAs, offered)
  return true
}

/** By what loads them. */
const shown = new Map<unknown, unknown>()
const failed = new Set<unknown>()

/** What failed is loaded again when it is shown next; not before, or it would be for ever. */
function forgetFailed(): void {
  for (const load of failed) shown.delete(load)
  failed.clear()
}

/** A component whose code comes when it is first shown; after a failure, when it is shown again. */
export function lazily<Props>(load: Load<Props>): ComponentType<Props> {
  const note = (error: unknown): never => {
    failed.add(load)
    throw error
  }
  const component = shown.get(load) ?? lazy(() => loadCode(load).catch(note))
  shown.set(load, component)
  // What is kept under a loader was made of it.
  return component as ComponentType<Props>
}

type Props = {
  children: ComponentChildren
  /** What it is about: another place has not failed. */
  place?: string
  /** Whether the page can do without it. */
  isOptional?: boolean
}

/** Shows what went wrong in place of what it stands around, and a way to try again. */
export class Boundary extends Component<Props, { error?: Error | undefined }> {
  override state: { error?: Error | undefined } = {}

  static override getDerivedStateFromError = (error: Error) => ({ error })

  override componentDidUpdate({ place }: Props) {
    if (!this.state.error || place === this.props.place) return
    forgetFailed()
    this.setState({ error: undefined })
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    if (this.props.isOptional) return null
    return error instanceof CodeMissing ? (
      <Unloaded />
    ) : (
      <Failed onRetry={() => this.setState({ error: undefined })} />
    )
  }
}

/** Nothing was typed here yet: the whole page is loaded again, also by itself when the network is back. */
function Unloaded() {
  const t = useTexts(texts)
  const reload = () => location.reload()
  useEffect(() => {
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return <Shown words={t.unloaded} action={t.again} onAction={reload} />
}

function Failed({ onRetry }: { onRetry(): void }) {
  const t = useTexts(texts)
  return <Shown words={t.broken} action={t.again} onAction={onRetry} />
}

type ShownProps = { words: string; action: string; onAction(): void }

function Shown({ words, action, onAction }: ShownProps) {
  return (
    <DeadEnd title={useTexts(texts).title}>
      <div class="notice bad" role="alert">
        <p>{words}</p>
        <p>
          <button type="button" onClick={onAction}>
            {action}
          </button>
        </p>
      </div>
    </DeadEnd>
  )
}
