import { loadAsset } from '../../platform/pages/assets.ts'

const byName = {
  'checkout.css': loadAsset(import.meta.url, 'checkout.css'),
  'checkout.js': loadAsset(import.meta.url, 'checkout.js'),
}

/** The payment pages' static files. */
export const assets = Object.values(byName)

export const assetPath = (name: keyof typeof byName) => byName[name].path
