import type { Culture } from './name-pools.ts';
import { hashOf, Random } from './random.ts';

export interface Address {
  street: string;
  unit: string | null;
  city: string;
  state: string;
  zip: string;
}

/** A place whose address and phone many people give who are not related. */
export interface Institution {
  address: Address;
  phone: string;
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const STREETS = words(
  `MAIN OAK PARK CEDAR MAPLE PINE ELM WASHINGTON LAKE HILL WALNUT SPRING NORTH RIDGE CHURCH WILLOW MILL SUNSET RIVER LINCOLN HIGHLAND
  JACKSON JEFFERSON CENTER MEADOW FOREST CHESTNUT FRANKLIN ADAMS HICKORY SPRUCE DOGWOOD MADISON BIRCH LIBERTY VALLEY PROSPECT ORCHARD
  CHERRY POPLAR SYCAMORE GRANT LAUREL COLLEGE UNION MAGNOLIA HOLLY SHERMAN ROSE CANYON EAGLE FAIRVIEW GARFIELD HARRISON JUNIPER KING
  LOCUST MONROE PEARL QUAIL RAILROAD SCHOOL SUMMIT TAYLOR VINE WATER WOODLAND ASPEN BEECH CLAY DEER FOX GREEN HAWTHORNE`,
);
const TYPES = words('STREET AVENUE ROAD DRIVE LANE COURT STREET AVENUE WAY BOULEVARD PLACE CIRCLE');
const CITIES = words(
  `FAIRHAVEN RIVERTON MILLBROOK ASHFORD LAKEMONT GREENFIELD STONEBRIDGE WESTBURY NORTHGATE CLEARWATER HARTWELL EASTVALE PINEHURST
  BRIGHTON OAKDALE MARLOW KINGSTON BELMONT AUBURN DUNMORE WINDHAM SALEM FAYETTE HAMPTON`,
);
const AREA_CODES = ['218', '312', '414', '507', '612', '763'];

/** Assumed: a ZIP code has 9,000 people in the mean. */
const PEOPLE_PER_ZIP = 9000;
const PEOPLE_PER_STREET = 90;
const PEOPLE_PER_HOSPITAL = 30_000;
const PEOPLE_PER_CLINIC = 5000;
const IN_APARTMENTS = 0.27;
const LIVES_AMONG_OWN = 0.7;

/** A region of a given number of people: its ZIP codes, streets and institutions. The same seed gives the same region. */
export class Region {
  readonly #seed: number;
  readonly #zips: number;
  readonly #people: number;

  constructor(people: number, seed: number) {
    this.#seed = seed;
    this.#people = people;
    this.#zips = Math.max(3, Math.ceil(people / PEOPLE_PER_ZIP));
  }

  /** People of a culture with unknown birthdays mostly live in a few ZIP codes. */
  drawHome(random: Random, culture: Culture | null): Address {
    const isClose = culture?.unknownBirthdays !== undefined && random.chance(LIVES_AMONG_OWN);
    const place = isClose ? this.#drawQuarter(random, culture) : this.#drawPlace(random);
    const streets = Math.ceil(PEOPLE_PER_ZIP / PEOPLE_PER_STREET);
    if (!random.chance(IN_APARTMENTS)) {
      const street = this.#streetName(place, random.below(streets));
      return this.#address(place, `${random.between(1, 30) * 100 + random.below(50) * 2} ${street}`, null);
    }
    const building = random.below(25);
    const street = this.#streetName(place, building % 8);
    const unit = `${random.between(1, 8)}${random.pick(['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', 'A', 'B'])}`;
    return this.#address(place, `${100 + 37 * building} ${street}`, unit);
  }

  /** Some ZIP codes have six times as many people as others. */
  #drawPlace(random: Random): number {
    for (;;) {
      const place = random.below(this.#zips);
      if (random.next() < 0.15 + 0.85 * ((hashOf(`${this.#seed} ${place}`) % 1000) / 1000)) return place;
    }
  }

  #drawQuarter(random: Random, { family }: Culture): number {
    const quarters = Math.ceil(this.#zips / 20);
    return hashOf(`${this.#seed} ${family.join()} ${random.below(quarters)}`) % this.#zips;
  }

  /** A nursing home for each ZIP code. */
  nursingHome = (random: Random): Institution => this.#institution('nursing home', random.below(this.#zips));
  /** A shelter for every six ZIP codes, so that hundreds of people have its address. */
  shelter = (random: Random): Institution =>
    this.#institution('shelter', 6 * random.below(Math.max(1, Math.floor(this.#zips / 6))));
  hospital = (random: Random): Institution =>
    this.#institution('hospital', random.below(Math.max(2, Math.floor(this.#people / PEOPLE_PER_HOSPITAL))));
  clinic = (random: Random): Institution =>
    this.#institution('clinic', random.below(Math.max(2, Math.floor(this.#people / PEOPLE_PER_CLINIC))));

  drawPhone = (random: Random): string =>
    `${random.pick(AREA_CODES)}${random.between(2, 9)}${random.digits(2)}${random.digits(4)}`;

  #institution(kind: string, number: number): Institution {
    const random = new Random(this.#seed, number, hashOf(kind));
    const place = number % this.#zips;
    const line = `${random.between(1, 99) * 10} ${this.#streetName(place, random.below(8))}`;
    return { address: this.#address(place, line, null), phone: this.drawPhone(random) };
  }

  #streetName(place: number, street: number): string {
    const hash = hashOf(`${this.#seed} ${place} ${street}`);
    const name = STREETS[hash % STREETS.length] as string;
    return `${name} ${TYPES[(hash >>> 8) % TYPES.length] as string}`;
  }

  #address(place: number, street: string, unit: string | null): Address {
    const city = CITIES[Math.floor(place / 5) % CITIES.length] as string;
    return { street, unit, city, state: 'MN', zip: String(55001 + place) };
  }
}
