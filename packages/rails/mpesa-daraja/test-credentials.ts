import type { RailSeals } from '@pesewa/connector-kit'
import type { DarajaConnection } from './settings.ts'

/**
 * Returns this deployment's credentials for the simulated M-Pesa. They are derived from the deployment's
 * secret, so they are the same on all nodes and nobody else can use them.
 */
export const simulatedBusiness = (seals: RailSeals) =>
  ({
    consumerKey: 'simulator',
    consumerSecret: seals.tag('simulator', 'consumer secret'),
    shortCode: simulatedShortCode,
    passkey: seals.tag('simulator', 'passkey'),
    bills: { pullNumber: '254708000000' },
    payouts: {
      shortCode: '600222',
      initiatorName: 'simulator',
      initiatorPassword: seals.tag('simulator', 'initiator password'),
      certificate,
      checksNames: true,
      reverses: true,
    },
  }) satisfies Partial<DarajaConnection>

/** The PayBill of the simulated M-Pesa. */
export const simulatedShortCode = '600111'

/**
 * A certificate that was created for the simulated M-Pesa; its private key was discarded. Like Safaricom's own
 * certificate, it expired years ago.
 */
const certificate = `-----BEGIN CERTIFICATE-----
MIICLDCCAdGgAwIBAgIBATAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhzaW11bGF0
ZWQtbS1wZXNhLmV4YW1wbGUwIhgPMjAxNjAxMDEwMDAwMDBaGA8yMDE4MDEwMTAw
MDAwMFowIzEhMB8GA1UEAwwYc2ltdWxhdGVkLW0tcGVzYS5leGFtcGxlMIIBIjAN
BgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAx1uO1Q1eUzO1fvHsEZTcAQsMtHA5
ntPVi+gk0RtZD+AoKNFz02mhUnBt4x49Uc+D2ZJYI7vCqu/Qml3ZCd6MbZ2oyo0P
8wIB/t5VPNye5ENQVjOdpqRmrcxwztIGpbnoaGztY7N7i2PG2gy5BqIvwA/RKM1U
ZhWbiR6tazFwqVAXeDI3xRmZve1DKm3PHq0o3YFmHLoo/zZfhkh7iYYV86cJwMmS
Hw3HUqkE/E3D3er/eJTQkuSanOc4AjIK53DaaJ4kAvFvNz7eO4cC0VC+TejXQOOB
LTMYFteo48y6ziy5m9Qvb6c5ZrFONSlQycfz9WQLwfALDDV9KmcvVRBN8QIDAQAB
oycwJTAjBgNVHREEHDAaghhzaW11bGF0ZWQtbS1wZXNhLmV4YW1wbGUwCgYIKoZI
zj0EAwIDSQAwRgIhAKpy5Rdss0ppwO8xyhL1hyJG5u6XD6Qf5p0F/9x/6dKWAiEA
4FKBfMmTaXA1jW+SBXzeEAAfLHDb+YnXWHT4x30upXw=
-----END CERTIFICATE-----
`
