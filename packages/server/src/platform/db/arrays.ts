import { writeId } from '../ids.ts'

/**
 * Encodes arrays in PostgreSQL's binary format (see `array_recv` in its sources), which works because `pg`
 * sends Buffers unchanged. For a large batch, quoting and parsing the values as text would cost as much as
 * inserting them. Each array needs a cast in the statement: `${uuids(ids)}::uuid[]`.
 */
export const uuids = (values: readonly (string | null)[]): Buffer => encode(2950, values, sixteen, writeId)

export const ints = (values: readonly (number | null)[]): Buffer =>
  encode(23, values, four, (value, buffer, at) => buffer.writeInt32BE(value, at) - at)

export const booleans = (values: readonly (boolean | null)[]): Buffer =>
  encode(16, values, one, (value, buffer, at) => buffer.writeUInt8(value ? 1 : 0, at) - at)

export const bigints = (values: readonly (bigint | null)[]): Buffer =>
  encode(20, values, eight, (value, buffer, at) => buffer.writeBigInt64BE(value, at) - at)

export const times = (values: readonly (Date | null)[]): Buffer =>
  encode(1184, values, eight, (value, buffer, at) => {
    // A JavaScript number cannot represent microseconds exactly, so they are written as two 32-bit halves.
    const ms = value.getTime() - postgresEpochMs
    const upperMs = Math.floor(ms / half)
    const lower = (ms - upperMs * half) * 1000
    const carry = Math.floor(lower / half)
    buffer.writeInt32BE(upperMs * 1000 + carry, at)
    return buffer.writeUInt32BE(lower - carry * half, at + 4) - at
  })

export const byteas = (values: readonly (Buffer | null)[]): Buffer =>
  encode(
    17,
    values,
    ({ length }) => length,
    (value, buffer, at) => value.copy(buffer, at),
  )

export const texts = (values: readonly (string | null)[]): Buffer =>
  encode(
    25,
    values,
    ({ length }) => length * maxBytesPerUnit,
    (value, buffer, at) => buffer.write(value, at),
  )

const one = () => 1
const four = () => 4
const eight = () => 8
const sixteen = () => 16
const half = 2 ** 32
const postgresEpochMs = Date.UTC(2000, 0, 1)
/** Maximum number of UTF-8 bytes needed for one UTF-16 code unit. */
const maxBytesPerUnit = 3 // bytes that one UTF-16 code unit takes in UTF-8

const headerBytes = 20
const lengthBytes = 4

/**
 * Encodes an array. `room` is the maximum number of bytes per value, and `write` returns the number of bytes it
 * wrote.
 */
function encode<T>(
  elementType: number,
  values: readonly (T | null)[],
  room: (value: T) => number,
  write: (value: T, buffer: Buffer, at: number) => number,
): Buffer {
  let size = headerBytes
  for (const value of values) size += lengthBytes + (value === null ? 0 : room(value))
  const buffer = Buffer.allocUnsafe(size)
  let at = buffer.writeInt32BE(values.length > 0 ? 1 : 0, 0)
  at = buffer.writeInt32BE(values.includes(null) ? 1 : 0, at)
  at = buffer.writeInt32BE(elementType, at)
  // An empty array has no dimensions.
  if (values.length === 0) return buffer.subarray(0, at)
  at = buffer.writeInt32BE(values.length, at)
  at = buffer.writeInt32BE(1, at)
  for (const value of values) {
    const length = value === null ? -1 : write(value, buffer, at + lengthBytes)
    at = buffer.writeInt32BE(length, at) + Math.max(length, 0)
  }
  return buffer.subarray(0, at)
}
