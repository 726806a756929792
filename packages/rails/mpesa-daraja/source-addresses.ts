import { BlockList, type IPVersion, isIP } from 'node:net'

/** The addresses from which, according to Safaricom, reports are sent. */
export const safaricomAddresses: readonly string[] = [
  ...['196.201.212.69', '196.201.212.74', '196.201.212.127', '196.201.212.128', '196.201.212.129'],
  ...['196.201.212.132', '196.201.212.136', '196.201.212.138', '196.201.213.44', '196.201.213.114'],
  ...['196.201.214.200', '196.201.214.206', '196.201.214.207', '196.201.214.208'],
]

/** Returns a function that checks whether a report came from one of these addresses or networks. */
export function createSourceCheck(sources: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const source of sources) {
    const { address, bits, family } = read(source)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}

/** Returns true if the text is neither a valid address nor a valid network. */
export function addressFault(source: string): boolean {
  const { address, bits, family } = read(source)
  if (isIP(address) === 0) return true
  return bits !== undefined && !(/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv4' ? 32 : 128))
}

function read(source: string) {
  const [address = '', ...rest] = source.split('/')
  const bits = rest.length === 0 ? undefined : rest.join('/')
  return { address, bits, family: familyOf(address) }
}

const familyOf = (address: string): IPVersion => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
