import { describe, expect, it } from 'vitest'
import { cities, jurisdictions } from '../../../src/domain/packs/markets.ts'
import { packs } from '../../../src/domain/packs/use-packs.ts'
import { districtOf, districtsOf } from '../../setup/city-rules.ts'

const districts = packs().flatMap((pack) => pack.districts)

describe('zoning tables', () => {
  it('every city has districts, and every district has a source, a date and a confidence for each of its rules', () => {
    for (const city of cities()) expect(districtsOf(city.slug).length, city.name).toBeGreaterThan(0)
    for (const district of districts) {
      const name = `${district.city} ${district.codes[0]}`
      expect(jurisdictions().map((city) => city.slug)).toContain(district.city)
      expect(district.source.length, name).toBeGreaterThan(5)
      expect(district.asOf, name).toMatch(/^\d{4}(-\d{2})?$/)
      if (!district.modelled) continue
      if (district.floorArea.kind !== 'none') expect(district.confidence.floorArea, name).toBeDefined()
      if (district.coverage) expect(district.confidence.coverage, name).toBeDefined()
      if (district.setbacksFt) expect(district.confidence.setbacks, name).toBeDefined()
      if (district.heightFt) expect(district.confidence.height, name).toBeDefined()
      if (district.groundCoverPct) expect(district.confidence.groundCover, name).toBeDefined()
    }
  })

  it('a modeled district has at least one limit, and an unmodeled one has a reason', () => {
    for (const district of districts) {
      const name = `${district.city} ${district.codes[0]}`
      if (!district.modelled) expect(district.unmodelledReason, name).toBeTruthy()
      else {
        expect(district.floorArea.kind, name).not.toBe('unknown')
        const limited = district.floorArea.kind !== 'none' || district.coverage || district.groundCoverPct
        expect(Boolean(limited), name).toBe(true)
      }
    }
  })

  it('no two districts of a city share a code', () => {
    for (const district of districts)
      for (const code of district.codes) expect(districtOf(district.city, code)).toBe(district)
  })

  it('codes match regardless of case, spaces and hyphens', () => {
    const district = districtOf('Los Altos', 'R1-10')
    expect(district?.minLotSqft).toBe(10000)
    for (const code of ['R-1-10', 'r1 10', 'R110', ' r-1-10 ']) expect(districtOf('los-altos', code)).toBe(district)
    expect(districtOf('Palo Alto', 'r-1 (8000)')?.minLotSqft).toBe(8000)
    expect(districtOf('Nantucket', 'lug1')?.groundCoverPct).toBe(7)
  })

  it('words after a code and design-review or coastal suffixes are ignored, other suffixes are not', () => {
    expect(districtOf('Daly City', 'R-1 Single-Family Residential')?.codes[0]).toBe('R-1')
    expect(districtOf('Millbrae', 'R-1, Single Family')?.minLotSqft).toBe(5000)
    expect(districtOf('San Mateo County', 'R-1/S-17/DR/CD')?.codes[0]).toBe('R-1/S-17')
    expect(districtOf('San Mateo County', 'RH/DR')?.codes[0]).toBe('RH/DR')
    expect(districtOf('Foster City', 'R-1/PD')).toBeUndefined()
    expect(districtOf('Burlingame', 'MMU (Myrtle Mixed Use)')).toBeUndefined()
  })

  it('an unknown code or city is undefined, never the closest match', () => {
    expect(districtOf('Los Altos', 'R1-11')).toBeUndefined()
    expect(districtOf('Los Altos', undefined)).toBeUndefined()
    expect(districtOf('Gotham', 'R-1')).toBeUndefined()
  })

  it('districts without a floor-area limit have the kind none', () => {
    for (const [city, code] of [
      ['Daly City', 'R-1'],
      ['Colma', 'R-S'],
      ['Foster City', 'R-1'],
      ['Pacifica', 'R-1'],
      ['Redwood City', 'R-1'],
      ['San Carlos', 'RS-6'],
    ] as const)
      expect(districtOf(city, code)?.floorArea.kind, city).toBe('none')
  })
})
