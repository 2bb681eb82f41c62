import { expect, test } from 'vitest'
import type { Dataset } from '../../src/domain/facts.ts'
import { nameKey, nameRank, nameReadings, namesOf } from '../../src/ingest/column-names.ts'

const fits = (holds: Dataset, field: string, name: string) =>
  [name, ...nameReadings([name])(name)].some((each) => nameRank(each, [nameKey(field), ...namesOf(holds, field)]) >= 0)

test.each<[Dataset, string, string]>([
  ['permits', 'permitId', 'BP #, B1_ALT_ID, tracking_number, permit_record_id'],
  ['permits', 'projectType', 'Type Description, job_category, permit_kind'],
  ['permits', 'description', 'Brief Description, permit_details, Work Proposed, authorized_work, Case Description'],
  ['permits', 'valuation', 'Building Valuation, Contract Value, CONSTVAL, initial_cost'],
  ['permits', 'sqft', 'proposed_sqft, SQFT_TOTAL, AddedSqFt'],
  ['permits', 'units', 'new_units, unit_count, dwellings'],
  ['permits', 'contractor', 'contractordba, contractor_full_name, contr_name, Licensed Professional'],
  ['permits', 'appliedOn', 'Application Received, record_open_date'],
  ['permits', 'issuedOn', 'Permit Issuance Date, IssDate'],
  ['permits', 'finaledOn', 'CO Issued Date'],
  ['permits', 'address', 'Work Address, Construction Address, Address of Work'],
  ['parcels', 'apn', 'TAXPIN, GISPIN, MAPTAXLOT, Parcel ID Number, Folio #, PIN14, REID, print_parcel'],
  ['parcels', 'address', 'STADDRESS, ADDR_FULL, PRPRTY_ADDR'],
  ['parcels', 'livingSqft', 'FIN_SQFT, HTD_AREA, SF_LIVING, total_living_sqft, interior_sqft, square_foot'],
  ['parcels', 'lotSqft', 'MAP_ACRES, gross_acres, STAT_ACRES, Number of Acres, sq_ft_land, ACREAGE_CALC'],
  ['parcels', 'yearBuilt', 'IMP_YR_BLT, Built In, YEAR_BUILT_1, constructed'],
  ['parcels', 'zoning', 'ZONE_CD, ZONING_TYPE, ZN'],
  ['parcels', 'propertyType', 'LU_DESC, CLASS_DESC, BLDG_CLASS_DESC'],
  [
    'parcels',
    'assessedLandUsd',
    'LAND_MKT, RMV_LAND, roll_land_value, LandAssessed, LAND_FMV, Current Year Land Value, EstFairMktLand',
  ],
  ['parcels', 'assessedImprovementUsd', 'RMV_IMPR, ASSD_BLDG, STRUCTURE_VALUE, bldg_appraised, EstFairMktImp'],
  ['parcels', 'units', 'DWELL_UNITS, unitcnt'],
  ['parcels', 'stories', 'NUM_FLRS, STORIES_NO'],
  ['listings', 'baths', 'No_ba, total_ba'],
  ['parcels', 'zip', 'ZCTA5'],
  [
    'sales',
    'soldOn',
    'REC_DATE, Conveyance Date, Settlement Date, purchase_date, XferDate, instrument_date, Actual Close Date',
  ],
  ['sales', 'priceUsd', 'Price Sold, Purchase Price, consideration_amount, GrossSalePrice, sell_price, Current Price'],
  ['listings', 'priceUsd', 'Total Price, unformattedPrice, price_raw, Ask Price'],
  ['listings', 'listedOn', 'date_posted, list_dt'],
  ['listings', 'remarks', 'marketing_remarks, ListingRemarks, overview'],
  ['listings', 'originalPriceUsd', 'Orig List Price'],
  ['listings', 'address', 'formattedAddress, listing_address'],
  ['parcels', 'zoning', 'propertyzoningdesc'],
  ['parcels', 'apn', 'Real Estate Number, RE #'],
  ['parcels', 'sourceUrl', 'assessor_url, home_details, parcel_link'],
  ['sales', 'priceUsd', 'NET_SALE_PRICE, LSalePrice'],
])('%s: %s is known by the names %s', (holds, field, names) => {
  expect(names.split(', ').filter((name) => !fits(holds, field, name))).toEqual([])
})

test.each<[Dataset, string, string]>([
  ['parcels', 'livingSqft', 'gross_area, garage_sqft, land_sqft'],
  ['parcels', 'lotSqft', 'price_per_acre, living_area, wetland_acres'],
  ['parcels', 'assessedLandUsd', 'land, land_use, land_area'],
  ['permits', 'permitId', 'permit_type, permit_url, contractor_id'],
  ['permits', 'issuedOn', 'expiration_date, inspection_date'],
  // The units of the finished building, also where an alteration adds one.
  ['permits', 'units', 'Proposed Units, Existing Units'],
  ['sales', 'priceUsd', 'price_per_sqft, list_price, tax_amount'],
  ['sales', 'soldOn', 'list_date, year_built, contract_date'],
])('%s: %s has none of the names %s', (holds, field, names) => {
  expect(names.split(', ').filter((name) => fits(holds, field, name))).toEqual([])
})
