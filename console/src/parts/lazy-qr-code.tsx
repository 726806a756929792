import { Suspense } from 'preact/compat'
import { Boundary, lazyComponent } from './code-loading.tsx'
import { Loading } from './notices.tsx'

const load = () => import('./qr-code.tsx')

/** A QR code. Its module is larger than the page's own code; if it fails to load, the text next to it is enough. */
export function QrCode(props: { text: string; label: string }) {
  const Loaded = lazyComponent(load)
  return (
    <Boundary isOptional>
      <Suspense fallback={<Loading />}>
        <Loaded {...props} />
      </Suspense>
    </Boundary>
  )
}
