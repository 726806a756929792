import { createPrivateKey, createPublicKey } from 'node:crypto'

/**
 * The private key of the simulated Airtel, which is the same on every node. It protects only play money, so it
 * is not a secret.
 */
const text = [
  'MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBALmwITUtpQQfeuMNEo+TBzf0hJG4skWKVHkxpJmQkryvzhEZIF65',
  '3E2DYwWBkVCe67FyL3I3mW8wKKNKA9t1eP9CCqIGXHaxHQolatMSgXSpc3P/HInh39V60DhoTd/rJvqTFPATpujurqqowQKvDt/k',
  'HRCBYHPodRLQ27+32ynHAgMBAAECgYEAqzQ6mfZYxEFmIzvlVh1AtZWsOVMqgzV0hz1/Pttuf6w0ec1J7Cy/c3RlcykwWz37n+Lg',
  '3hVnUX38qflPLyPThyqaw70ODDwGbMBq8Vl+S2VlNYjbZCJMongKvU51LD16i66YsPZGRcm61tYPTqaOw+lHKe1dCj5X5qN5BDlW',
  'NxkCQQDu22mve+6w4LxD8Ol+siUD98tcn3BQjIHfpGA72wQewv8rhHcO+tuFVA4soFccYAf6jPIdWOE/jFsIxpubgKOtAkEAxwPT',
  'p+3xewyZtHNIdJmQuzOqXxizGehnHx3omSrwOYyGs3Q5fV6EXk5rhbKXIsubuv9fWWMiCP3Yn1++4gARwwJAUoOZzvWRT6lTYGUp',
  'RItmHijMKAMsWacwdoHifMr8cWQLoozwVEx06WpQOzpo3XSPTQ7D1T+PENT73dw+hUm7QQJAcW6i8vJSUxpJeWrD/4GP1sOJ9g3z',
  '925ZaIj5jGPG7GZGWH6ETgrTU5VK/7ddIX3/00O/Kwmv2oQlNiGygModVQJAB8LbsTMcJCZ8ViHh2o5K9C0HS3C80+GQT61RYs7e',
  'H5eyZEZB+0v4fok672H0w7N/uj32/lh8g19cRS0K9GnDkg==',
].join('')

/** The key has 1024 bits, as Airtel's has. */
export const privateKey = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })

/** The public key in Airtel's format. */
export const publicKeyText = createPublicKey(privateKey)
  .export({ format: 'der', type: 'spki' })
  .toString('base64')
