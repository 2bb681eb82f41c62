// BLDS, the Building and Land Development Specification: permits as CSV with standard column names (permitdata.org). Portals
// often write the names in lower case.
import type { Dataset } from '../domain/facts.ts'
import type { FieldRule } from '../domain/packs/source-config.ts'

const firstOf = (...names: string[]) =>
  names.flatMap((name) => [
    { field: name, optional: true as const },
    { field: name.toLowerCase(), optional: true as const },
  ])

export const bldsFields: Partial<Record<Dataset, Readonly<Record<string, FieldRule>>>> = {
  permits: {
    permitId: firstOf('PermitNum'),
    // "Demolition / Building Permit": the work comes first, because many cities have one type for all of it.
    projectType: [
      { join: ['WorkClass', 'PermitTypeDesc', 'PermitClass'], separator: ' / ', optional: true },
      { join: ['workclass', 'permittypedesc', 'permitclass'], separator: ' / ', optional: true },
      ...firstOf('PermitType', 'PermitTypeMapped', 'WorkClassMapped'),
    ],
    description: firstOf('Description'),
    status: firstOf('StatusCurrent', 'StatusCurrentMapped'),
    valuation: firstOf('EstProjectCost', 'TotalJobValuation'),
    sqft: firstOf('TotalSqFt'),
    units: firstOf('HousingUnits'),
    contractorLicense: firstOf('ContractorLicNum', 'ContractorStateLic'),
    contractor: firstOf('ContractorCompanyName', 'ContractorFullName', 'ContractorName'),
    city: firstOf('OriginalCity'),
    zip: firstOf('OriginalZip'),
    address: firstOf('OriginalAddress1', 'OriginalAddress', 'Address'),
    apn: firstOf('PIN', 'TaxParcelId'),
    lat: firstOf('Latitude'),
    lng: firstOf('Longitude'),
    appliedOn: firstOf('AppliedDate'),
    issuedOn: firstOf('IssuedDate'),
    finaledOn: firstOf('CompletedDate'),
    sourceUrl: firstOf('Link'),
  },
}
