// The words by which permits name work, things and places: one table, read by one function. They are common English and usual
// abbreviations, not the phrases of particular cities: a source adds the words of its city in its configuration (`permitClasses`).
//
// A row is a name and lines. After ":" each line is one alternative, after "=" one alternative as whole words, after ">" the lines
// follow each other. `{name}` is an earlier row, `(a|b)` groups without capturing, spaces around a line do not count (write `[ ]`),
// and "#" starts a comment. The patterns read numbers as digits, "(n)" as "new" and no articles (`permit-text.ts`).
const table = String.raw`
  remodels: alter(?!nat)\w*|remodel\w*|renovat\w*|rehab\w*
  repairs: {remodels}|repairs?
  anyRemodel= {remodels}|interior|tenant improvement
  repairWork= {repairs}|replac\w+|re-?roof\w*|windows?|upgrade|convert\w*|damage\w*|finish(ing)?

  # Something other than the house itself, often demolished or built along with it.
  accessory:
    (field|station|gate|guard|pool|guest|green|club|boat|tree|play|carriage|coach) ?-?house
    ((?<![0-9] )bath|hen|chicken|pump|well|smoke|dog|hoop|lane ?way|garden) ?-?house
    (detached |attached |ancillary |accessory |storage |out[ -]?|outdoor |det\.? |acc\.? ?)(buildings?|bldgs?|structures?|storage|str)
    (temporary|covered|shade) structures?|(farm|agricultural)( (buildings?|structures?)|(?! ?house))|silos?
    (swimming )?pools?|swp|spas?|hot tubs?|(tennis|sports?|pickleball|basketball) courts?
    sheds?|lean[ -]?tos?|barns?|stables?|coops?|cottages?|studio|workshop|storage|tents?
    accessory|[adj]?-?adus?|ancillary|greenhouses?|carports?|garages?|driveways?
    gazebos?|pergolas?|arbors?|trellis(es)?|cabanas?|decks?|patios?|porch(es)?|sunrooms?|canop(y|ies)|awnings?
    fenc(e|es|ing)|gates?|retaining walls?|tanks?|septic|docks?|piers?|towers?|antennas?|billboards?|signs?
  part:
    walls?|partitions?|ceilings?|dry ?wall|sheet ?rock|plaster|finish(es)?|(building )?materials|floor(s|ing)|framing|studs
    chimneys?|fire ?places?|stairs?(case|way)?s?|steps|balcon(y|ies)|dormers?|windows?|doors?|siding|roof(s|ing)?
    hvac|furnaces?|boilers?|water heaters?|equipment|fixtures?|electric(al)?|wiring|services?|plumbing|mechanical
    concrete|slabs?|footings?|foundations?|platforms?|shelving|cabinets?|kitchens?|restrooms?|rooms?|laundry|attics?
    additions?|extension|remodel\w*|alterations?|renovation\w*|wing|addition/\w+|add/\w+|suites?|ste|tenant|t\.?i\.?
  # "12 Academy Ave", "5 Commercial St": a name before these words is the name of a street.
  notStreet> (?! (st|street|rd|road|ave?|avenue|blvd|dr|drive|ln|lane|way|ct|court|pl|place|pkwy|hwy|ter|cir)\b)
  otherBuilding:
    comm?(ercial)?\b\.?|business(es)?|non[ -]?(residential|dwelling)|industrial|merc\w*antile|(mixed|multi) ?-?use
    centers?|institution(s|al)?|educational|assembly|(nursing|funeral|group) homes?
    restau?rants?|office\w*|retail|stores?|shops?|markets?|bank|mini-?mall|malls?|theat(er|re)s?|car ?wash(es)?
    church(es)?|temples?|worship|schools?|academy|pre-?schools?|classrooms?|day ?care|hotels?|motels?|hospitals?|clinics?|medical
    stations?|terminals?|warehouses?|factory|maintenance (buildings?|bldgs?)|(?<!shear |hallway )halls?(?! (bath|closet|floor|wall))
    apartments?|apts?|condo(minium)?s?|(tri|four ?-?|quad)plex(es)?|town ?-?(house|home)s?|multi? ?-?(family|unit|dwelling|residen\w+)
    ([3-9]|[1-9][0-9]+)[- ](dwelling )?units?|[3-9]( (or|and|&|to) (more|4))?[- ]famil(y|ies)|ph(ase)? ?([0-9]|i{1,3})
  business> {otherBuilding}{notStreet}
  # A house for one family, or for two: both are torn down by the same kind of buyer.
  house:
    (?<!\bto )(?<!\b(open|in|full|half|court|pilot) )(farm ?)?houses?|residences?(?! hall)|(?<!\b(nursing|group|care|funeral) )homes?(?! office| theater| depot| gym| manufactur)
    (?<!accessory )dwell?ings?(?! units?)|s\.?f\.?[drh]s?\b\.?|s\.?f\.? res\b\.?|(single|[12]) ?-?family|duplex(es)?
    (?<!non[- ]?)residential (structures?|buildings?|bldgs?|property)|bungalows?|(?<!(sales|construction|office|job|cargo) )trailers?
    (?<!non[- ]?)res\b(?![- ](accessory|garage|shed|pool|deck|unit|det))|residential(?= demo|$|[.,;&+/)]| and | with )
  structure:
    stru?ct?u?res?|(buildings?|bldgs?)(?! permit)|everything|improvements|entire (site|property|lot)
    [0-9][- ]?story (brick|frame|masonry)(?= with| w/|$|[.,])
  manyUnits> ([2-9]|[1-9][0-9]+|[1-9],[0-9]{3})
    \)?[- ]*((new|tiny|residential|dwelling|apartment|condo\w*\b|housing|affordable|senior|family|market rate)[- ]*)*
    (units?|famil(y|ies)(?! room)|dwellings?|residential|apartments|town ?ho\w+|condos?|dus?
    |(homes|houses)(?<!\b(of|in|on|to|block) ([a-z0-9]+ ){1,2}\w+))(?![a-z#])
  several:
    multi? ?-?(family|unit|res\w*|dwelling)|town ?-?(house|home)s?|row ?-?(houses|homes|house dwellings)|condo(minium)?s?
    app?art?ments?|apts?|(du|tri)plex(es)?|([3-9]|four|quad)[- ]?plex(es)?|{manyUnits}
  severalDwellings> \b{several}(?![a-z])
  severalOrShops= {several}|mixed[- ]use|retail|commercial

  # Systems and site work. Those that types and descriptions share, those of descriptions, those of types.
  systems:
    hvac|air condition\w*|heat pumps?|furnaces?|water heaters?|sewers?|septic|irrigation|backflow|water (service|line|main)
    sprinklers?|alarms?|fire (alarm|pump)|low[- ]voltage|circuits?|generators?|ev charg\w*|antennas?|cell (site|tower)|elevators?(?! addition)
    signs?|fenc(e|es|ing)|retaining walls?|insulation
  systemWork=
    {systems}|fire (service|suppression)|suppression system|detectors?|evac\w*|mini[- ]?splits?|venting|(exhaust|bath(room)?) fans?|siding
    condens(er|ing)|roof ?-?top units?|gas (line|piping|service)|re-?pip\w+|electrical|electric (service|panel)|(sub-?|main )panels?
    receptacles?|outlets?|(service|panel|meter) (change|upgrade|replace\w*)|rewir\w+|[0-9]+ ?amps?|temp(orary)? (power|pole)|shoring
    wireless|signage|awnings?|flag ?poles?|underpinning|final inspection|revision to|addendum|plan check|administrative|admin permit
  systemType=
    {systems}|ele|elc|elect?\w*|mec?h\w*|plu?mb\w*|plm|plbg?|^[emp](?=[ -]+(new|res|com|single))|sub-?trades?|trade|a/c|boilers?
    gas(?! (bar|station))|utilit\w+|storm ?water|(?<=new )connections?|erosion|suppression|telecom\w*|scaffold\w*|cranes?|tents?|temporary
    fire (protection|systems?|safety|line|prevention|permits?)|grading|site ?work|tree|driveways?|sidewalks?|curb cuts?|encroachment
    right[- ]of[- ]way|(research|verification) letters?|windows?|siding|(certificate of|use and) occupancy
  roofType> \b(re-?roof(ing|s)?|roof(ing)?\b(?! (deck|top)))\b
  # "Electrical for new house", "HVAC new SFR", "Install sprinklers": the description begins with the system.
  systemFirst>
    ^((new|install\w*|installation of|replac\w+|provide|add(ing|ition of)?|rough(-?in)?|permit (for|to)|admin\w*|all|complete|full|general
    |the|\(?[0-9]+\)?|residential|nsfr?|temp(orary)?|underground|interior|exterior|fire|nfpa\S*|1?3[dr]|wet|wiring) )*
    ({systems}|electric\w*|elec\b|power|wiring|[0-9]+ ?amps?|service upgrade|security system|solar|photo ?voltaic|pv|plumbing|plbg|gas\b
    |water (meter|tap)|suppression|detectors?|mechanical|mech\b|a/c|ac\b|heat(ing|ers?)?\b|cooling|vent(ing|ilation)|mini[- ]?splits?
    |ducts?|duct ?work|driveway|grading|foundation only|footings? only|chang\w* (of )?address)(?![a-z])

  # What a text says of itself. From a duty on, a sentence states no work: "a sign must be posted".
  duty>
    \b(pursuant( to)?|shall|must|hereby|certif(y|ies)|(are|is) required|required by|responsib\w+|subject to|holder of
    |not to be|nothing (is|will|to|shall)|no construction|call (811|for|before)|this permit (expires|is|does)|(all|any) (debris|work)
    |for every \d|site frontage|work (per|on|under) this|to be cancel\w+)\b.*
  # "Ref PA #2019-123 are ADU": what another permit is for.
  otherPermit: \b(see|ref(er(ence)?)?)([.:]| to)* ?(b?pa|permits?|bp|app(l\w*)?) ?(no\.? ?)?#[^.;\])]*|\(see\b[^)]*\)
  # "Demolition to prepare for an addition": what a later permit is for.
  laterWork> \b(to |in )?prep(are|aration|ping)?( (the )?(lot|site))? (for|of|to)\b[^.;]*
  separatePermit> ([^\s,.;()&*]+ ){0,8}\b(under|by|on|per|in|requires?|with)? ?(a |an |another )?
    (sep(a|e)?ra?ted?|sep\.?|other|different) (building |bldg )?(permits?|pmts?|application)\b[^,.;)]*
  # "Detached garage to remain": the parts that stay are not demolished.
  whatRemains> (\b(existing|\(e\)|the|main|detached|attached|concrete|rear|front|all|other) )*
    ((?<=^|[,;(] ?)(house|home|residence)|(?!home|house|residence)\b[a-z]+)( (and|&) [a-z]+)?[ ]
    (to|will|is to|are to|shall) (remain|stay|be (kept|retained|saved))\b
  # What is denied: "no new units", "not to be an accessory dwelling". A number ("no. 4") and a limit deny nothing.
  negation> \b(no|without|excluding|excludes?|not including|except|never|not|isn't|doesn't|does not|will not|cannot)\b
    (?!\.|:| ?#| ?\d| to exceed| required| limited to| yet| and | more than|( an?)? (basement|garage|sprinkler|fireplace|crawl|attic|deck))
    [ ]?((?!\b(but|only)\b)[^,.;()])*(\([a-z]{3,}\))?

  # Accessory dwelling units: a second, smaller dwelling on the lot of a house, or a dwelling added to an existing building.
  unitNoun:
    dwell?ings?( units?)?|dwg units?|(residential|living) units?|living (quarters|space|area)
    apartments?|residences?|suites?|cottages?|units?(?! building)
  unitName:
    [adj]?-?adus?|a\.d\.u\.?|(junior |detached |attached )*(accessory|auxiliary|ancillary|companion) (detached |attached )?{unitNoun}
    (2nd|secondary) ((dwell?ings?|living|residential|legal)( units?)?|residences?|apartments?|units?|suites?)
    addition(al)? (dwell?ing|living|residential) units?|(mother[- ]?)?in[- ]?law ({unitNoun}|quarters|flats?)
    granny (flat|unit|cottage)|ohana (dwell?ing|unit)s?|guest ?-?(house|cottage|(living )?quarters)|casita
    (carriage|coach) ?house|(backyard|lane ?way) (cottage|house|home|unit|suite)|rear (cottage|dwelling unit)
    garage (apartment|apt(?![. ]*(build|bldg|complex|#|\d+[a-z]?$))|(w/|with) (new |studio |(2nd|upper) (story|floor) )*(apartment|apt|dwelling|(living )?(quarters|unit)))
    (apartment|apt|dwelling unit|living unit|quarters) (over|above) (the |new |existing |detached |attached )*garage
  accessoryUnit> \b{unitName}(?![a-z])
  # "Construct one-family dwelling (DADU)": the new house itself is the accessory unit.
  houseAsUnit> \b(dwelling|residence|house)( to the [a-z]+)? [([](detached )?([ad]?adu\b|accessory dwelling)
  # "Basement becomes in-law suite, will not be used as ADU": read before the denial is left out.
  deniesUnit> \bnot (to )?be used (as|for) (an? )?([adj]?adu\b|(accessory )?dwelling)
  shopType= commercial|retail|office|industrial|institutional
  severalOwners= unit lots?|town ?-?(house|home)s?|condo(minium)?s?|hotels?|motels?
  # "Short plat into two unit lots (house and ADU)" divides land; "revision to permit 123, ADU: new footings" changes plans.
  landOrPlans> ^([^.;]{0,40}\b(short plat|unit lot|subdivi(de|sion (to|into|of))|revision (to|of|for)|lot line)|rev\b)
  # "Vertical addition for two units" enlarges the building first of all; a unit that is named as accessory still decides.
  enlargement>
    \b(add (new )?[2-4](nd|rd|th) (stor|fl)|construct additions?\b|(vertical|horizontal|rear|side|front|stor(y|ies)
    |(remodel|renovation)\w* and) ((and|&|yard) ?)*(additions?|expansion|extension)\b)
  afterUnit> ^ (deed|restriction|covenant|agreement|permit ?#|(sub-?)?panels?\b|meters?\b|roof\b)
  existingUnit> \b(existing|(?<!pre-)approved|future|the) ((?!with|and|for|to|of|in|into|new|as|is)[a-z0-9-]+ ){0,4}$
  servedPlace> \b(for|in|at|on|of|serving|within|inside|from|under|above|behind)\b ((the|new|existing|rear|detached) )*$
  workOnUnit=
    {systems}|{repairs}|electric\w*|plumb\w*|mechanical|gas|water|services?|panel|meter|amps?|[0-9]{2,3}a|solar|pv|heat\w*
    mini[- ]?splits?|roof\w*|windows?|pool|driveway|rebuild|(re|tuck)-?point\w*|replac\w+|demo\w*|remov\w+|revis\w+|inspect\w+
  buildsUnit:
    \b(convert\w*|conversion|(?<!\b(frame|masonry|brick|wood|type) )construct\w*|build(?!ing)|new|add(ing|ition)?|creat\w*)\b
    \b(legali[sz]\w*|establish|erect|propos\w+|install|allow)\b
  unitVerb: (?<other>{workOnUnit})|{buildsUnit}
  # "Convert garage to ADU and add 200 sf", "construct accessory dwelling unit" under the type "Addition".
  becomesUnit> ^(convert\w*\b[^.;]{0,60}\b(to|into|as)|construct|build|erect|new|create)[ ]
    (new |1 |detached |attached |junior |pre-approved |[0-9]+[- ]story )*{accessoryUnit}
  # "Unit" alone needs a word before it, "apartment" a number, a place or a verb.
  unit>
    (?<![a-z0-9])((dwell?ing|residential|legal|illegal|living|rental|studio|basement|floor|flr|separate|apartment)( new)? units?
    |(additional|extra|[2-9](nd|rd|th)|new|[0-9]+\)?|existing)( new)? units?
    |(new|1|studio|basement|floor|into|to|as|create|add|build|construct) (apartment|apt)(?! ?(build|bldg|complex)))(?![a-z])
  # Words between a verb and its object: a comma or a preposition would start another phrase.
  object>
    ((?!\b(to|for|of|in(?!-)|at|on|from|by|with|within|inside|per|into|and (remodel|renovat|repair|replac)\w*)\b)[^.;,@]){0,60}?
  unitPlace> (\b(at|in|on|within|behind|above|over|below|under|to|of|into|from)\b|@) ((the|new|existing) )*
    (ground|basement|garage|1st|lower|rear|attic|storage|back ?yard|crawl|residence|house|building|soft)(?![a-z])
  notUnit> ((?!(?<![0-9)][- ]?)\b(units?|apartments?|flats?)\b)[^.;])
  # "Add one dwelling unit", "convert garage to dwelling", "legalize unit", "new dwelling unit at ground floor".
  unitAdded:
    \b(add(ing)?|addition(al|s)? of|creat(e|ing|ion of)|accomm?odate|provide)\b{object}{unit}
    \b(convert\w*|conversion)\b{notUnit}{0,80}?\b(to|into|as)\b{object}({unit}|(?<!family )\bdwell?ing(?! ?gar)| apartment(?! ?b))
    \blegali[sz]\w*\b[^.;]{0,60}?\b((?<!multi-?)(units?|apartment)(?! ?#)|(?<!family )dwelling|in[- ]?laws?)(?![a-z])
    \bunits? (additions?|legali[sz]ation)|\b(add|additions? of) (new )?units?(?![a-z#])
    \b(new|construct\w*|build|install)\b(?! (construction|building)){object}{unit}(?! residence)[^.;]{0,20}{unitPlace}
  # "Add rooftop unit", "create six (6) dwelling units", "convert shop into strip mall (3 units)", "remove illegal unit".
  notAdded:
    \b(roof ?-?top|a/?c|hvac|condens\w+|mini-?split|heat(ing)?|cooling|air|fans?|(storage|shower) units?|pumps?|meters?|amps?)\b
    \b([5-9]|[1-9][0-9]+|(?<=\b(to|into|as) \(?)4)\b(?! s[qf])[ ()0-9]*((?!new )[a-z-]+ ){0,2}(units?|apartments?)
    \b(to|into) (1|single)[- ](dwelling )?unit|\b3\b[^.;]{0,20}\bto 2\b
    \b(remov|eliminat|deconver|discontinu)\w*|\b(to|into|as)\b.*\b(mall|retail|stores?|offices?|shops?|commercial)\b

  # Additions make a building larger. A type "Addition/Alteration" leaves it to the description.
  additionType> \badditions?\b(?!.*\b({repairs}|improvement|new)\b)(?<!\b({repairs}|improvement|new|deck|pool|garage|carport)\b.*)
  room: (bed|family|sun|living|mud|dining|great) ?rooms?|wings?|dens?\b|(upper|2nd) (level|story|floor)
  # "Family room with sprinklers", "garage expansion and retaining wall": the site work belongs to the room.
  anyRoom: {room}|rooms?\b|suite|garage|carport|living|habitable|stor(y|ies)|floor|expansion|extension
  builtAfter: .*\b(erect\w*|construct\w*|build|new|add\w*)\b|.*([.;,]|\b(and|for|with)\b).*({room}|[0-9] ?s[fq]\b)
  # Work that leaves the building as large as it was, under a type that says addition.
  sameSize:
    ^(for the )?(demo\w*|remov\w+|modif\w+|([a-z/]+ )?alter\w*|revis\w+|repair\w*|replac\w+|(basement )?finish\w*)\b(?!{builtAfter})
    \binterior (re\w+|alter\w*|work|improvements?|finish\w*|demo\w*)\b|\b(porch|steps|stairs|balcony) (repairs?|replacement)\b
    (?<!stor(y|ies) )\b(with)?in (the )?(existing|same) foot ?print\b|\blike[- ]for[- ]like\b
    \b(refurbish\w*|rebuil[dt]|(finish|build)[- ]?outs?|(leasehold|tenant) improvements?)\b
    ^(?!.*({room}|\bsuite)).*(?<!semi-)\b(detached [^.;]{0,30}\b(carport|pergola|garage|shed|structure|building|gazebo)|driveways?\b)
    ^(?!.*(room|suite|{room}|\b(garage|carport|porch|screen|kitchen|bath|enclos|conver|finish|story))).*\b(ramps?|pergolas?|staircases?)\b
  siteWork=
    antennas?|wireless|monopoles?|cell towers?|parking (spaces?|lots?)|signs?|fenc(e|es|ing)|chain link|retaining walls?|awnings?|monuments?
    sprinklers?|fire alarms?|solar|radon|pools?(?! house)|gazebos?|pavilions?|greenhouses?|sheds?(?![ /-](style|roof|dormer))
  # Beginnings of words for things that are "added" and do not make a building larger.
  equipment: {systems}|amps?\b|volt|power|elec|light|fixture|panel|detector|smoke|duct|device|tele[cdp]|radio|plumb|pump|window|door|wall|permit|project
  # "Remove rear addition"; in "demolish garage and build addition" the addition is new.
  notRemoved>
    (?<!\b(remov\w+|demo\w*|replac\w+|repair\w*)\b((?!\b(and|construct(?!ed)\w*|new|build|add|for|with|erect\w*)\b|&)[^.;,*]){0,40})
  # "Rear addition"; not "in addition to", "voice and data additions", "addition to permit".
  additionNoun> \b(?=addition)
    (?<!\b(subdivision|lot [0-9a-z]+|estates|vista|heights|hills|acres|in|future|new,|existing|stair(s|case|way)?|tenant|interior|data|system
    |(former|previous|prior)( [a-z]+)?|(cell tower|power|voice|camera|device|circuit|lighting|wiring|electrical|equipment)s?) )
    (?<!(^|[.;/] ?)((new|wood|rear|front|side|back|roof|[0-9'x]+) )*deck ){notRemoved}additions?\b
    (?! of\b(?<!\b(story|floor|level|rear|side|front|vertical|horizontal|room) additions? of))
    (?! (work )?under\b| in (the |existing )*(attic|basement|garage)| (to|on) ([a-z()]+ ){0,3}(decks?|porch|patio|fence)(?![a-z]))
    (?!-cell| ((to|for|are) )?((the|new|existing|[0-9]+|more|original|previous|approved|interior|low) )*
    ({equipment}|scope|contract|plan|drawing|tenant))
  addedRoom:
    [0-9][0-9,.]* ?(sf|sq|s\.f)(?![. ]*(ft|feet)?[. ]*((of|to) )?([a-z]+ )?(deck|patio|porch|balcon|apartment|unit|dry ?wall|siding))
    [0-9]{2,}['’]? ?x ?[0-9]{2,}(?![0-9a]|[^.;]{0,40}\b(deck|patio|porch|shed|pool|carport|slab|gazebo|pergola|fence|window|door|sign))
    (2nd|3rd|new|upper|1|1st) (stor(y|ies)|floor|level)|story|square f|penthouse|dormer|master|primary (bed|suite)|(family|sun|mud) ?room|dining
    ((guest )?bed ?|living ?)?rooms?\b((?<=^add[^,.;]*)|(?=[^.;]{0,60}\b(to|at|on|off) (the |existing )*(rear|side|front|house|residence)))
  withinWalls: {equipment}|kitchen(?! and)|closet|office|suite|restaurant|unit|opening|roof|deck|patio|porch|driveway|concrete|walkway
    parking|gas|data|conduit|wir|pip|riser
  grown: dormers?|(bed|mud|sun|living) ?rooms?|family|dining|master|garage|house|home|residence|dwelling|building|footprint|rear|side|front
  notGrown> (?! ?(door|window|opening|stair|deck|porch|patio|balcon|of (the )?deck)|[^.;,]{0,20} into\b)
  inStanding> \b(in|within|inside|to) (the |existing )*(garage|basement|attic|existing)
  raised: build|construct|erect|add|new|raise|install|propos\w+
  additionWork:
    {additionNoun}
    \b(?=addition){notRemoved}additions? of\b((?!\b({equipment}|unit|apartment|adu))[^.;]){0,60}?([0-9] ?s[fq]\b|\b{anyRoom})
    \badd(ing|ed|s)? (approx\w* |new |[0-9]+ )*{addedRoom}\w*(?! closet)(?![^.;]{0,60}{inStanding})
    (?<!\bint\w* alt\w* to )\b(expand(ing)?|enlarg\w+|extend(ing)?|ex(pan|ten)sion (of|to))\b((?!\binto\b|\b{withinWalls}\w*)[^.;,]){0,40}\b{grown}{notGrown}
    \b(enclos(e|ing|ure of)|clos(e|ing) (in|off)|convert\w*) [a-z() ]{0,30}(patio|porch|deck|breezeway)\b[^.;]{0,40}(liv|habit|room)
    \b{raised}\b (new )*((2nd|3rd|upper) (story|floor|level)(?= (on|over|above|atop|to (the|[0-9]))\b)|additional stor)
    (?<!\b(in|to|for|at|of|on) )\b{raised} ((?!(detached|to|of|in|at|on|for|with)\b)[a-z0-9-]+ ){0,3}sun ?room(?! (window|door|roof))
    \b{raised} (new |[a-z0-9]+[- ]car )*attached ([a-z0-9]+[- ]car )?garage(?! (door|sub-?panel|opener|window|roof|electric))
    {notRemoved}\b(horizontal|vertical|rear|side|front|house|building|bedroom|story|floor) (expansion|extension)(?! (granted|approved))
    \b{raised}[^.;,]{0,30}\bdormers?\b|\bpop[- ]?(top|out)\b|\bbump[- ]?out\b

  demolition= demo(?!graph)('d|ed|ing|s|l\w*)?|raz(e|ed|ing)|wreck(ing|ed)?|tear(ing)?[- ]?downs?|torn down|deconstruct\w*|dismantl\w+
  demolishes> {demolition}(?! permits? ?(no\.? ?)?#?[0-9])
  narrow:
    partial(ly)?|par[it]{1,3}al|portions?|part of|other (buildings?|structures?)
    (back|rear|front|side|corner|half) (half )?of|(rear|front|side) ([a-z0-9]+ )?(story|floor)
    ([123](st|nd|rd)|upper|top|lower|ground) (floor|level|story) of
    selective|select|soft|non[- ]?structural|non[- ]?load|exploratory|gut|interior|(?<!(\b(and|with|plus)|[.,;&]) )exterior|int\b\.?|inside
  narrowing> \b{narrow}(?![a-z])
  # Ends the list of what is torn down: the text goes on to what is built, or to the reason.
  next: construct(?!ion|ed)|build(?!ings?)|rebuild|erect|new|replac\w+|install|remodel(?!ed)|renovate|repair|prepare
  # Each thing and each word that changes its role. The first that matches decides: accessory buildings come before houses.
  thing:
    (?<stop>\b{next}(?![a-z]))
    (?<place>\b(of|in|at|on|from|within|to|behind|under|near|adjacent|between|that|which|sitting|located|separate|serving|for)(?![a-z]))
    (?<narrow>\b{narrow}(?![a-z]))
    (?<part>\b{accessory}(?![a-z]))
    (?<business>\b{business}(?![a-z]))
    (?<house>\b{house}(?![a-z]))
    (?<piece>\b(bath(room)?s?|bed ?rooms?|basements?|{part})(?![a-z]))
    (?<structure>\b{structure}(?![a-z]))
    (?<next>[,&+/]|\b(and|plus|also)\b)
    (?<end>\.(?= |$))
  # "Several structures: barn, shed" are only these. "All structures: pool, shed" and "structures, pool" include the house.
  namedList> \b(structures|buildings) ?:(?<!\b(all|existing)\b[^.,;:]*:)
  removal>
    \b(?<verb>remov(e|al of|ing)) ((?!(from|in|at|of|to|on|and|{accessory}|{part}|{business})\b)[a-z0-9()]+ ){0,5}(?<house>{house})
    (?= ?($|[.,;&+)]|and |with |w/|at |from |on |plus |including ))
  # "2 story masonry building. Commercial", "7 story mid rise building".
  notOneHouse>
    \b(buildings|bldgs|comm(ercial)?|industrial|tenant|office|retail|mixed|(mid|high)[- ]?rise|(?<![0-9./])([5-9]|[1-9][0-9])[- ]?story)\b
    {notStreet}

  besidesHouse> (?<=\b(dwelling|house|home|residence) ?)(&|\+|and\b|with\b|w/).*$
  # What describes a house and no room: "living area", "4 bedrooms", "lot 12 plan B", but not "living room" or "bedroom lights".
  livingArea= living area|(heated|conditioned) (sq ft|sf|area)|([0-9,]+ ?(sq ft|sf)|[0-9]{3,})\.?( of)? (living(?! ?(room|unit))|heated|conditioned)
  wholeHouse= {livingArea}|[0-9]+[- ]?(bed ?rooms?|br|bd|stor(y|ies))|(lot|plan) [0-9a-z]+|model|production
  # The usual description of a new house under a type for one.
  houseParts= {wholeHouse}|living|bed ?rooms?|br|stor(y|ies)|framing|foundation|slab
  severalHomes=
    town ?-?(house|home)s?|condo(minium)?s?|apartments?|triplex|four ?plex|mixed[- ]use|retail|([3-9]|[1-9][0-9]+)[- ]?(family|(dwelling )?units)
    ^(new |construction |[a-z0-9-]+ story |fra?me? )*duplex
  otherWork=
    commercial|non-?residential|multi ?-?family|tenant|occupancy|change|moving|other than|non-?(building|house\w*)
    institution(s|al)?|(nursing|group|care|funeral) homes?|manufacturing|industrial|hotels?|(assisted|senior) living
  smallerWork= additions?|{repairs}|improvement|accessory|maintenance|tenant|demo\w*|change
  bareNew> ^new(?=( construction| build)?\.?$)
  buildsHouse:
    \b(new|construct(ing|ion of)?|build(?!ing)|erect(ing|ion of)?|proposed)(?![a-z])
    \breplacement(?= (single family )?(dwelling|house|home|residence)( (on|with|after)\b|[,.;(]|$))
  houseNoun> \b({house}|(single|1) (dwelling|residential) units?)(?![a-z])
  # Words between "new" and "house" that name another object.
  otherObject:
    \.\s|\bw/|\b(existing|the|additions?|add|replace\w*|remodel|to|for|at|in|on|from|behind|inside|within|under|onto|with)(?![a-z])
    \b(2nd|secondary|guest|auxiliary|companion|granny|d?adu|(?<!dwelling )units|{accessory}|{business}|{part})(?![a-z])
  # "Single family residence addition", "house garage": the house is not what is built.
  notTheHouse:
    ^[ -]*((?!and |with |[0-9])\w+ )?({part})(?![a-z])
    ^[ -]*(accessory|garages?|carports?|decks?|sheds?|sales|trailer|units?(?! building| ?[.,;]| ?$))(?![a-z])
  servedHouse> \b(for|serving|at|in|on|to|of|into)( the| 1)* $
  otherThing: {systemWork}|\b({accessory}|{part}|part of)\b
  houseType:
    \bs\.?f\.?[dr]\b|\bnew\b|\bsingle[- ]?family dwelling\b
    ^(?<kind>single[- ]family|(manufactured|modular) home)(?=( \w+)?($|,| / ))
  oneFamily> \b(s\.?f\.?[dr]\b|(single|1) ?-?family|houses?|homes?|residences?|single[- ]dwelling)
  notHouseType> \b{accessory}(?![a-z])
  firstNamed>
    \b((?<house>(?<!\b(of|to|at|for|behind|existing|(?<!rebuild )existing( [a-z0-9-]+){1,2}) (the )?){house}|1 (dwelling )?unit
    |modular(?! class| office| building))|(?<other>additions?|add(ing)?(?![a-z])|adu|{remodels}|legaliz\w+|convert\w*|repair\w*|revis\w+
    |tenant|walls?|steps|stairs?|ramp|court|kiosk|pavilion|clubhouse|amenity|(utility|metal|pole|office) (building|structure)|(?<!\b(with|w/) ?(attached |[0-9]-?car )*){accessory}))(?![a-z])
  newWork> \b(new|construct(ing|ion of)?|erect(ing|ion of)?|build)\b
  existingBuilding:
    \bexisting\b(?! (lot|vacant|site|parking|retaining|tree|grade|curb|driveway|address))
    \badditions? (to|at|on|above|over)\b|\b(convert\w*|conversion|legali[sz]\w*|remodel\w*|renovat\w*|re-?roof\w*|retrofit\w*|tenant)\b
    \b(hvac|shoring|crane|hotel|motel|hostel|storage units?|mag ?locks?|foundation only)\b
    ^(new |construct )?(foundation|excavation|deck|sign|fence)\b

  unitCount> (?<![#\d./-])\b(\d{1,2},\d{3}|\d{1,4})(?=[ -]+(new )?
    ((residential|dwelling|apartment|apt|condo(minium)?|housing|family|market rate|affordable) )*
    (units?|dus?|apartments|condo(minium)?s|dwellings|town ?(houses|homes))\b(?! (no|number|#|[a-z]( |$))))
  otherUnits= add(ing|ition)?|demolish\w*|replac\w*|repairs?|revis\w*|alter\w*
  otherDwelling= adus?|jadus?|accessory|(2nd|secondary) (dwelling|unit)|duplex|triplex|units|dwellings|residences|houses|homes|families|(2|multi)[- ]?family residential

  solar= photo ?voltaic|solar|pv|power ?walls?|energy storage|storage batter(y|ies)
  pool> \b(swimming )?pools?\b(?! ?house)|\b(hot tub|spa|swp)\b
  remodel>
    \b(remodel\w*|rmd|renovat\w*|rehab\w*|alterations?|refurbish\w*|update|upgrade interior|conver(t|sion)|legaliz\w*
    |finish(ing)? (the |existing )*(basement|attic)|kitchen|bath(room)?s?|interior (work|upgrade|improvement)
    |finish[- ]?out|tenant improvement|t\.i\.)(?![a-z])
  roof:
    \bre-?roof\w*|\broof(ing)? (replace\w*|overlay|tear|repair|only)|\btear[- ]?off\b
    \b(replace|new|remove)\b[^.;]{0,30}\broof(ing)?\b(?! deck)
  additionAndRemodel> \badditions? (and|&|with|w/) (remodel|renovat)\w*
  # "Deck Permit", "Carport Permit": the addition in the description has a permit of its own.
  smallType> ^(res(idential)? )?(deck|carport|(covered )?(patio|porch)|shed)[ ]
  anyAddition> (?<!\b(garage|carport) )\badditions?\b
`

const sources = new Map<string, string>()
for (const row of table
  .replace(/^ *#.*\n/gm, '')
  .trim()
  .split(/\n+ {2}(?=\w)/)) {
  const [, name, kind, text] = /^(\w+)([:=>])(.*)$/s.exec(row)!
  const lines = text!
    .split('\n')
    .map((line) => line.trim().replace(/\\.|\[(?:\\.|[^\]])*\]|\((?!\?)/g, (part) => (part === '(' ? '(?:' : part)))
    .filter(Boolean)
    .map((line) => line.replace(/\{([a-z]\w*)\}/gi, (_, other: string) => sources.get(other)!))
  const oneOf = `(?:${lines.join('|')})`
  sources.set(name!, kind === '>' ? lines.join('') : kind === '=' ? `\\b${oneOf}\\b` : oneOf)
}

const compiled = new Map<string, RegExp>()
/** The pattern of a row. */
export const pattern = (name: string, flags = ''): RegExp => {
  const known = compiled.get(name + flags) ?? new RegExp(sources.get(name)!, flags)
  compiled.set(name + flags, known)
  return known
}
export const has = (name: string, text: string): boolean => pattern(name).test(text)
/** The words of a text that match a row. */
export const wordsOf = (name: string, text: string): string | undefined => pattern(name).exec(text)?.[0]
