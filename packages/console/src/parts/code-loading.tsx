import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { createTexts } from '../text/languages.tsx'
import { DeadEnd } from './dead-end.tsx'
import { Loading } from './notices.tsx'

// The code of a page is loaded on the first visit. Loading can fail because the network connection is lost, or
// because a newer version has been deployed and the files of this version no longer exist.

const useTexts = createTexts(
  {
    title: 'This page cannot be shown',
    unloaded: 'The page could not be loaded. Check your connection.',
    broken: 'Something went wrong on this page. Your changes have not been lost.',
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

/** Thrown if the code of a page could not be loaded, even after a retry. */
class CodeLoadError extends Error {}

/**
 * Loads the code of a component, and retries once after a pause. If the retry fails and a newer version has
 * been deployed, reloads the whole console.
 */
async function loadCode<Props>(load: Load<Props>): Promise<{ default: ComponentType<Props> }> {
  try {
    return await load().catch(async (error: unknown) => {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      // Browsers remember that a module URL failed to load, so the retry uses a different URL.
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
 * Returns true once for each newer version on the server, so that the console is not reloaded repeatedly. A
 * full reload is needed, because some browsers remember that a module failed to load.
 */
async function isOutdated(): Promise<boolean> {
  // biome-ignore lint/style/noRestrictedGlobals: this reads the console's own page, not the API
  const page = await fetch('/console', { cache: 'no-store' })
    .then((response) => (response.ok ? response.text() : ''))
    .catch(() => '')
  const [offered] = /\/console\/assets\/index-[\w-]+\.js/.exec(page) ?? []
  const isRunning = [...document.scripts].some(({ src }) => offered && src.endsWith(offered))
  if (!offered || isRunning || sessionStorage.getItem(reloadedAs) === offered) return false
  sessionStorage.setItem(reloadedAs, offered)
  return true
}

/** Components, keyed by the function that loads their code. */
const componentByLoader = new Map<unknown, unknown>()
const failed = new Set<unknown>()

/**
 * Allows code that failed to load to be requested again the next time it is needed. Called only when the error
 * is cleared, because an earlier call would cause an endless loop.
 */
function resetFailedLoads(): void {
  for (const load of failed) componentByLoader.delete(load)
  failed.clear()
}

/**
 * Returns a component whose code is loaded when the component is first displayed. Until then, it shows
 * `placeholder`. After a failure, loading is attempted again only once `resetFailedLoads` has been called.
 * `lazy` and `Suspense` of `preact/compat` do the same, but are as large as half of Preact.
 */
export function lazyComponent<Props extends object>(
  load: Load<Props>,
  placeholder: ComponentChildren = <Loading />,
): ComponentType<Props> {
  const component = componentByLoader.get(load) ?? componentOf(load, placeholder)
  componentByLoader.set(load, component)
  // Safe: each component is stored under the loader that it was created from.
  return component as ComponentType<Props>
}

function componentOf<Props extends object>(
  load: Load<Props>,
  placeholder: ComponentChildren,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined
  let error: unknown
  let loading: Promise<void> | undefined
  return (props) => {
    const [, render] = useState(0)
    useEffect(() => {
      let isDisplayed = true
      loading ??= loadCode(load).then(
        (code) => {
          Loaded = code.default
        },
        (reason: unknown) => {
          error = reason
          failed.add(load)
        },
      )
      void loading.then(() => isDisplayed && render(1))
      return () => {
        isDisplayed = false
      }
    }, [])
    if (error) throw error
    return Loaded ? <Loaded {...props} /> : placeholder
  }
}

type Props = {
  children: ComponentChildren
  /** Identifies the content. When it changes, the error is cleared. */
  place?: string
  /** Whether to show nothing instead of an error. */
  isOptional?: boolean
}

/** If rendering its children fails, shows an error and a retry button instead. */
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
    const isUnloaded = error instanceof CodeLoadError
    // A full reload is safe if the code could not be loaded, because the user has not entered anything yet.
    const retry = () => (isUnloaded ? location.reload() : this.setState({ error: undefined }))
    return <Failed isUnloaded={isUnloaded} onRetry={retry} />
  }
}

/**
 * Shown if the code of a page could not be loaded, or failed. In the first case, the page is also reloaded when
 * the network is available again.
 */
function Failed({ isUnloaded, onRetry }: { isUnloaded: boolean; onRetry(): void }) {
  const t = useTexts()
  useEffect(() => {
    if (!isUnloaded) return undefined
    addEventListener('online', onRetry)
    return () => removeEventListener('online', onRetry)
  }, [])
  return (
    <DeadEnd title={t.title}>
      <div class="notice bad" role="alert">
        <p>{isUnloaded ? t.unloaded : t.broken}</p>
        <p>
          <button type="button" onClick={onRetry}>
            {t.again}
          </button>
        </p>
      </div>
    </DeadEnd>
  )
}
