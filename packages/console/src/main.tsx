import '@pesewa/pages/base.css'
import './styles/words.css'
import './styles/controls.css'
import './styles/filters.css'
import './styles/parts.css'
import './styles/money.css'
import './styles/frame.css'
import './styles/forced-colors.css'
import { QueryClientProvider } from '@tanstack/preact-query'
import { render } from 'preact'
import { createQueryClient } from './api/queries.ts'
import { App } from './shell/app.tsx'
import { LanguageProvider } from './text/languages.tsx'

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
