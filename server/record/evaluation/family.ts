import { type Culture, drawCulture, drawFamilyName, drawGivenName, type Sex } from './name-pools.ts';
import { ageOf, drawBirthDate, drawMedicareId, drawMemberId, drawRecentDate, type Person } from './person.ts';
import type { Address, Region } from './places.ts';
import { Random } from './random.ts';
import { FAMILY_RATES as RATES } from './rates.ts';
import { drawTwinsName } from './twins.ts';

const PURPOSE_FAMILY = 1;

/** Those of brothers and sisters without parents in the world. */
const UNKNOWN_PARENTS: readonly number[] = [-1];

/** Returns the first of two family names, with its particles: DE LA CRUZ of DE LA CRUZ ROMERO. */
const firstName = (family: string): string => /^(?:(?:DE|LA|DEL|AL|EL|ABU|BIN) )*[^ ]+/.exec(family)?.[0] ?? family;

/** What people of one home share. */
interface Home {
  address: Address;
  former: Address | null;
  /** A phone that everyone gives, or null. */
  phone: string | null;
  formerPhone: string | null;
}

/** Makes the people of one family. The same region, seed and number give the same people. */
export function makeFamily(region: Region, seed: number, number: number): Person[] {
  return new FamilyMaker(region, new Random(seed, number, PURPOSE_FAMILY), number).make();
}

class FamilyMaker {
  readonly #region: Region;
  readonly #random: Random;
  readonly #number: number;
  readonly #culture: Culture | null;
  readonly #people: Person[] = [];

  constructor(region: Region, random: Random, number: number) {
    this.#region = region;
    this.#random = random;
    this.#number = number;
    this.#culture = drawCulture(random);
  }

  make(): Person[] {
    const random = this.#random;
    const kind = random.next();
    if (kind < 0.012) this.#inInstitution();
    else if (kind < 0.3) this.#single();
    else if (kind < 0.5) this.#couple(this.#home(), this.#adultYear());
    else if (kind < 0.6) this.#singleParent();
    else if (kind < 0.93) this.#parentsWithChildren(null);
    else this.#withGrandparents();
    return this.#people;
  }

  #adultYear = (): number => 2026 - Math.round(22 + 68 * this.#random.next() ** 1.3);

  #home(): Home {
    const [random, region] = [this.#random, this.#region];
    const hasMoved = random.chance(RATES.movedRecently);
    const phone = random.chance(RATES.sharedPhone) ? region.drawPhone(random) : null;
    return {
      address: region.drawHome(random, this.#culture),
      former: hasMoved ? region.drawHome(random, this.#culture) : null,
      phone,
      formerPhone: hasMoved && random.chance(RATES.newPhone) ? region.drawPhone(random) : null,
    };
  }

  /** One person without relatives at the address of many. */
  #inInstitution(): void {
    const random = this.#random;
    const isOld = random.chance(0.7);
    const { address, phone } = isOld ? this.#region.nursingHome(random) : this.#region.shelter(random);
    const home = {
      address,
      former: this.#region.drawHome(random, this.#culture),
      phone: random.chance(0.6) ? phone : null,
      formerPhone: null,
    };
    this.#adult(home, random.chance(0.5) ? 'Male' : 'Female', 2026 - random.between(isOld ? 68 : 20, isOld ? 98 : 65));
  }

  #adult(home: Home, sex: Sex, year: number, family = drawFamilyName(this.#random, this.#culture)): Person {
    const given = drawGivenName(this.#random, this.#culture, sex, year);
    return this.#add({ home, sex, family, given, birthDate: drawBirthDate(this.#random, year, this.#culture) });
  }

  /** Someone who lives alone, or with a brother or sister elsewhere, who may be a twin. */
  #single(): void {
    const random = this.#random;
    const home = this.#home();
    const person = this.#adult(home, random.chance(0.5) ? 'Male' : 'Female', this.#adultYear());
    person.parents = UNKNOWN_PARENTS;
    const others = random.next();
    if (others < RATES.twinDelivery) this.#twinOf(person, [], home);
    else if (others < 0.2) {
      const year = Number(person.birthDate.slice(0, 4)) + random.between(-7, 7);
      const sibling = this.#adult(this.#home(), random.chance(0.5) ? 'Male' : 'Female', year, person.family);
      sibling.parents = UNKNOWN_PARENTS;
      if (sibling.given === person.given) sibling.given = this.#newGivenName(sibling.sex, year);
    }
  }

  #couple(home: Home, year: number, name?: string): [Person, Person] {
    const random = this.#random;
    const husband = this.#adult(home, 'Male', year, name);
    const wife = this.#adult(home, 'Female', year + random.between(-6, 3));
    [husband.spouse, wife.spouse] = [this.#people.indexOf(wife), this.#people.indexOf(husband)];
    for (const person of [husband, wife]) {
      if (!random.chance(RATES.twinDelivery)) continue;
      person.parents = [-1 - this.#people.indexOf(person)];
      this.#twinOf(person, [], home);
    }
    const keeps = this.#culture?.keepsNames === true ? random.chance(0.8) : false;
    const choice = keeps ? 1 : random.next();
    if (choice < RATES.wifeTakesName + RATES.wifeHyphenates) {
      wife.maidenName = wife.family;
      if (random.chance(RATES.nameIsRecent)) wife.formerFamily = wife.family;
      wife.family = choice < RATES.wifeTakesName ? husband.family : `${wife.family}-${husband.family}`;
    }
    if (husband.email !== null && random.chance(RATES.spousesShareEmail)) wife.email = husband.email;
    if (husband.memberId !== null && random.chance(RATES.sharedMemberId)) wife.memberId = husband.memberId;
    return [husband, wife];
  }

  #singleParent(): void {
    const home = this.#home();
    const year = 2026 - this.#random.between(20, 60);
    const mother = this.#adult(home, this.#random.chance(0.85) ? 'Female' : 'Male', year);
    this.#children([mother], home, mother.family);
  }

  #parentsWithChildren(name: string | null): void {
    const home = this.#home();
    const parents = this.#couple(home, 2026 - this.#random.between(21, 66), name ?? undefined);
    this.#children(parents, home, this.#childrensName(parents));
  }

  #childrensName([father, mother]: readonly [Person, Person]): string {
    if (this.#culture?.hasDoubleNames !== true) return father.family;
    const [own, mothers] = [firstName(father.family), firstName(mother.family)];
    return own === mothers ? own : `${own} ${mothers}`;
  }

  /** Grandparents with a grown child who has children too, in one home or in two. The given name may pass on twice. */
  #withGrandparents(): void {
    const random = this.#random;
    const home = this.#home();
    const grandparents = this.#couple(home, 2026 - random.between(52, 88));
    const name = this.#childrensName(grandparents);
    const son = this.#child(
      grandparents,
      home,
      name,
      'Male',
      Number(grandparents[1].birthDate.slice(0, 4)) + random.between(19, 30),
    );
    const own = random.chance(0.5) ? home : this.#home();
    Object.assign(son, { home: own.address, formerHome: own.former });
    const wife = this.#adult(own, 'Female', Number(son.birthDate.slice(0, 4)) + random.between(-3, 4));
    [son.spouse, wife.spouse] = [this.#people.indexOf(wife), this.#people.indexOf(son)];
    if (this.#culture?.keepsNames !== true) wife.family = son.family;
    this.#children([son, wife], own, this.#childrensName([son, wife]));
  }

  #children(parents: readonly Person[], home: Home, name: string): void {
    const random = this.#random;
    const mother = parents.at(-1) as Person;
    const motherYear = Number(mother.birthDate.slice(0, 4));
    const births = 1 + Math.floor(3.4 * random.next() ** 1.5);
    let year = motherYear + random.between(18, 34);
    for (let birth = 0; birth < births && year < 2026; birth++) {
      this.#birth(parents, home, name, year);
      year += random.between(1, 5);
    }
    if (ageOf(mother.birthDate) < 43 && random.chance(RATES.newborn)) this.#birth(parents, home, name, null);
  }

  /** One child or twins; of this month if the year is null. */
  #birth(parents: readonly Person[], home: Home, name: string, year: number | null): void {
    const random = this.#random;
    const sex = random.chance(0.5) ? 'Male' : 'Female';
    const first = this.#child(parents, home, name, sex, year);
    if (random.chance(RATES.twinDelivery)) this.#twinOf(first, parents, home);
  }

  #child(parents: readonly Person[], home: Home, family: string, sex: Sex, year: number | null): Person {
    const random = this.#random;
    const namesake = parents.find((parent) => parent.sex === sex);
    const rate = sex === 'Male' ? RATES.sonOfSameName : RATES.daughterOfSameName;
    const isJunior = namesake !== undefined && namesake.family === family && random.chance(rate);
    const birthDate = year === null ? drawRecentDate(random) : drawBirthDate(random, year, this.#culture);
    // A grown child mostly has a home of its own.
    const own = ageOf(birthDate) > 24 && random.chance(0.75) ? this.#home() : home;
    const given = isJunior ? namesake.given : this.#newGivenName(sex, year ?? 2025);
    const child = this.#add({ home: own, sex, family, given, birthDate, isNewborn: year === null });
    child.parents = parents.map((parent) => this.#people.indexOf(parent));
    if (isJunior) {
      child.suffix = 'JR';
      namesake.suffix ??= 'SR';
      if (random.chance(0.6)) child.middle = namesake.middle;
    }
    if (ageOf(birthDate) < 19) this.#sharesWithParent(child, random.pick(parents));
    return child;
  }

  /** Returns a name that none of the family has: brothers and sisters do not share one. */
  #newGivenName(sex: Sex, year: number): string {
    let given = drawGivenName(this.#random, this.#culture, sex, year);
    while (this.#people.some((person) => person.given === given)) given = drawGivenName(this.#random, null, sex, year);
    return given;
  }

  #sharesWithParent(child: Person, parent: Person): void {
    const random = this.#random;
    child.phones = parent.phones;
    child.formerPhone = parent.formerPhone;
    child.email = random.chance(RATES.childHasParentsEmail) ? parent.email : null;
    if (random.chance(RATES.sharedMemberId)) child.memberId = parent.memberId;
  }

  #twinOf(first: Person, parents: readonly Person[], home: Home): void {
    const random = this.#random;
    const other = first.sex === 'Male' ? 'Female' : 'Male';
    const sex = random.chance(RATES.twinsOfOneSex) ? first.sex : other;
    const given = drawTwinsName(random, this.#culture, first, sex);
    const areTogether = ageOf(first.birthDate) < 25 || random.chance(0.15);
    const own = areTogether ? { ...home, address: first.home, former: first.formerHome } : this.#home();
    const second = this.#add({
      home: own,
      sex,
      family: first.family,
      given,
      birthDate: first.birthDate,
      isNewborn: first.isNewborn,
    });
    Object.assign(second, { parents: first.parents, birthOrder: 'B' });
    first.birthOrder = 'A';
    if (parents.length > 0 && ageOf(first.birthDate) < 19) this.#sharesWithParent(second, random.pick(parents));
    if (random.chance(RATES.twinsWithNextSsn))
      second.ssnLast4 = String((Number(first.ssnLast4) + 1) % 10_000).padStart(4, '0');
  }

  #middle(given: string, sex: Sex, year: number): string | null {
    const middle = this.#random.chance(0.15) ? null : drawGivenName(this.#random, this.#culture, sex, year);
    return middle === given ? null : middle;
  }

  #add(known: Pick<Person, 'sex' | 'family' | 'given' | 'birthDate'> & { home: Home; isNewborn?: boolean }): Person {
    const random = this.#random;
    const { home, sex, given, family, birthDate } = known;
    const age = ageOf(birthDate);
    const phone = home.phone ?? this.#region.drawPhone(random);
    const person: Person = {
      id: `${this.#number}:${this.#people.length}`,
      family,
      given,
      middle: this.#middle(given, sex, Number(birthDate.slice(0, 4))),
      suffix: null,
      sex,
      birthDate,
      home: home.address,
      phones: home.phone !== null && age > 18 && random.chance(0.5) ? [phone, this.#region.drawPhone(random)] : [phone],
      email: random.chance(RATES.adultHasEmail)
        ? `${given}.${this.#number}.${this.#people.length}@mail.example`.replaceAll(' ', '')
        : null,
      ssnLast4: String(random.between(1, 9999)).padStart(4, '0'),
      medicareId: age >= 65 ? drawMedicareId(random) : null,
      memberId: random.chance(RATES.isInsured) ? drawMemberId(random) : null,
      culture: this.#culture,
      maidenName: null,
      formerFamily: null,
      formerHome: home.former,
      formerPhone: home.formerPhone,
      spouse: null,
      parents: [],
      birthOrder: null,
      isNewborn: known.isNewborn ?? false,
    };
    this.#people.push(person);
    return person;
  }
}
