// BLDS, the Building and Land Development Specification: permits as CSV with standard column names (permitdata.org). Portals
// often write the names in lower case.
import type { Dataset } from '../domain/facts.ts'
import type { FieldRule } from '../domain/packs/source-config.ts'

const column = (name: string): FieldRule => [
  { field: name, optional: true },
  { field: name.toLowerCase(), optional: true },
]
const firstOf = (...names: string[]) =>
  names.flatMap((name) => [
    { field: name, optional: true as const },
    { field: name.toLowerCase(), optional: true as const },
  ])

export const bldsFields: Partial<Record<Dataset, Readonly<Record<string, FieldRule>>>> = {
  permits: {
    permitId: column('PermitNum'),
    // "Demolition / Building Permit": the work comes first, because many cities have one type for all of it.
    projectType: [
      { join: ['WorkClass', 'PermitTypeDesc', 'PermitClass'], separator: ' / ', optional: true },
      { join: ['workclass', 'permittypedesc', 'permitclass'], separator: ' / ', optional: true },
      ...firstOf('PermitType', 'PermitTypeMapped', 'WorkClassMapped'),
    ],
    description: column('Description'),
    status: firstOf('StatusCurrent', 'StatusCurrentMapped'),
    valuation: firstOf('EstProjectCost', 'TotalJobValuation'),
    sqft: column('TotalSqFt'),
    units: column('HousingUnits'),
    contractorLicense: firstOf('ContractorLicNum', 'ContractorStateLic'),
    contractor: firstOf('ContractorCompanyName', 'ContractorFullName', 'ContractorName'),
    city: column('OriginalCity'),
    zip: column('OriginalZip'),
    address: firstOf('OriginalAddress1', 'OriginalAddress', 'Address'),
    apn: firstOf('PIN', 'TaxParcelId'),
    lat: column('Latitude'),
    lng: column('Longitude'),
    appliedOn: column('AppliedDate'),
    issuedOn: column('IssuedDate'),
    finaledOn: column('CompletedDate'),
    sourceUrl: column('Link'),
  },
}
