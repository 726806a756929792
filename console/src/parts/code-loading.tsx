import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { lazy } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'
import { DeadEnd } from './dead-end.tsx'

// Page code is loaded on first visit. Loading can fail: the network drops, or a newer version has replaced this
// one and its files are gone.

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

/** Page code could not be loaded, even after a retry. */
class CodeLoadError extends Error {}

/**
 * Loads code, retrying once after a pause. If it still fails and a newer version is deployed, reloads the whole
 * console.
 */
async function loadCode<Props>(load: Load<Props>): Promise<{ default: ComponentType<Props> }> {
  try {
    return await load().catch(async (error: unknown) => {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      // Browsers cache a failed module URL, so the retry uses a different one.
      const [address] = /https?:\/\/\S+\.js/.exec(String(error)) ?? []
      return address ? import(/* @vite-ignore */ `${address}?again=${Date.now()}`) : load()
    })
  } catch (cause) {
    if (await isOutdated()) {
      location.reload()
      return new Promise(() => {})
    }
    throw new CodeLoadError('', { cause })
  }
}

/**
 * Returns whether the server has a newer version that the console was not yet reloaded for. Some browsers cache
 * failed modules, so only a full reload helps.
 */
async function isOutdated(): Promise<boolean> {
  const page = await fetch('/console', { cache: 'no-store' })
    .then((response) => (response.ok ? response.text() : ''))
    .catch(() => '')
  const [offered] = /\/console\/assets\/index-[\w-]+\.js/.exec(page) ?? []
  const isRunning = [...document.scripts].some(({ src }) => offered && src.endsWith(offered))
  if (!offered || isRunning || sessionStorage.getItem(reloadedAs) === offered) return false
  sessionStorage.setItem(reloadedAs, offered)
  return true
}

/** Components by their loader. */
const componentByLoader = new Map<unknown, unknown>()
const failed = new Set<unknown>()

/** Allows failed code to be loaded again on its next display. Doing so earlier would loop forever. */
function resetFailedLoads(): void {
  for (const load of failed) componentByLoader.delete(load)
  failed.clear()
}

/** Returns a component whose code is loaded when first displayed, and again after a failure. */
export function lazyComponent<Props>(load: Load<Props>): ComponentType<Props> {
  const note = (error: unknown): never => {
    failed.add(load)
    throw error
  }
  const component = componentByLoader.get(load) ?? lazy(() => loadCode(load).catch(note))
  componentByLoader.set(load, component)
  // The component stored under a loader was created from it.
  return component as ComponentType<Props>
}

type Props = {
  children: ComponentChildren
  /** Identifies the content; a change resets the failure. */
  place?: string
  /** Whether to render nothing on failure. */
  isOptional?: boolean
}

/** Replaces its children with an error and a retry button when they fail. */
export class Boundary extends Component<Props, { error?: Error | undefined }> {
  override state: { error?: Error | undefined } = {}

  static override getDerivedStateFromError = (error: Error) => ({ error })

  override componentDidUpdate({ place }: Props) {
    if (!this.state.error || place === this.props.place) return
    resetFailedLoads()
    this.setState({ error: undefined })
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    if (this.props.isOptional) return null
    return error instanceof CodeLoadError ? (
      <LoadFailure />
    ) : (
      <Failed onRetry={() => this.setState({ error: undefined })} />
    )
  }
}

/** Nothing has been entered yet, so a full reload is safe. It also happens when the network returns. */
function LoadFailure() {
  const t = useTexts(texts)
  const reload = () => location.reload()
  useEffect(() => {
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return <FailurePage words={t.unloaded} action={t.again} onAction={reload} />
}

function Failed({ onRetry }: { onRetry(): void }) {
  const t = useTexts(texts)
  return <FailurePage words={t.broken} action={t.again} onAction={onRetry} />
}

type ShownProps = { words: string; action: string; onAction(): void }

function FailurePage({ words, action, onAction }: ShownProps) {
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
