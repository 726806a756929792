import '@pesewa/pages/base.css'
import './styles/words.css'
import './styles/controls.css'
import './styles/filters.css'
import './styles/parts.css'
import './styles/money.css'
import './styles/frame.css'
import { QueryClientProvider } from '@tanstack/preact-query'
import { render } from 'preact'
import { createQueryClient } from './api/queries.ts'
import { App } from './shell/app.tsx'
import { LanguageProvider } from './text/languages.tsx'

/** Few users need these styles, so they are loaded for them only. */
const forcedColors = matchMedia('(forced-colors: active)')
const loadForcedColors = () => forcedColors.matches && import('./styles/forced-colors.css')
void loadForcedColors()
forcedColors.addEventListener('change', loadForcedColors)

const root = document.getElementById('app')
if (root) {
  root.textContent = ''
  render(
    <LanguageProvider>
      <QueryClientProvider client={createQueryClient()}>
        <App />
      </QueryClientProvider>
    </LanguageProvider>,
    root,
  )
}
