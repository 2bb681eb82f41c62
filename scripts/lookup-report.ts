// `npm run report:lookup`: looks up 1,000 damaged addresses of the sample, and 1,000 with a wrong digit in the house number.
import { damagedAddresses, insertParcels, sampleId, sampleParcels, withNumberTypo } from '../bench/damaged-addresses.ts'
import { countLookups, printed } from '../bench/lookup-report.ts'
import { openServer } from '../bench/sandbox.ts'
import { openDatabase } from '../src/store/engine/database.ts'

const parcels = sampleParcels()
const streets = new Map(parcels.map((parcel) => [sampleId(parcel), `${parcel.street}, ${parcel.zone.city}`]))
const streetOf = (id: string) => streets.get(id)!
const server = await openServer()
const database = openDatabase({ ...server.address, statementTimeoutMs: 60_000 })
let failed = false
try {
  await insertParcels(database.db, parcels)
  console.log(`${parcels.length} parcels of the sample\n`)
  const begun = performance.now()
  const damaged = await countLookups(database.db, damagedAddresses(parcels, 1_000), streetOf)
  const ms = (performance.now() - begun) / 1_000
  console.log(`${printed(damaged.counts)}\n\n${ms.toFixed(1)} ms an address\n`)
  const numbers = await countLookups(database.db, withNumberTypo(parcels, 1_000), streetOf)
  console.log(`House-number typing errors, apart:\n${printed(numbers.counts)}`)
  const elsewhere = numbers.counts.reduce((sum, count) => sum + count.exactElsewhere, 0)
  console.log(`Exact on another street or in another city: ${elsewhere}`)
  if (process.argv.includes('--missed')) console.log(`\n${damaged.wrong.join('\n')}`)
  failed = elsewhere > 0 || damaged.counts.some(({ exactToAnother }) => exactToAnother > 0)
} finally {
  await database.close()
  await server.close()
}
if (failed) {
  console.error('An address was matched exactly to another property.')
  process.exitCode = 1
}
