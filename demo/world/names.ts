/** Invented names of people, streets and towns. All accents exist in Latin-1, because one of the region's hospitals sends that. */
const list = (text: string): readonly string[] => text.trim().split(/,\s+/);

export const FEMALE_NAMES = list(`
  Adaeze, Agnes, Aisha, Amara, Ana, Beatriz, Bernadette, Camila, Carol, Chantal, Clara, Daniela, Deborah,
  Eleanor, Elizabeth, Esperanza, Fatima, Frances, Geneviève, Gloria, Grace, Hannah, Harriet, Ingrid, Irene,
  Isabel, Jacqueline, Janet, Jasmine, Joan, Katherine, Keiko, Latoya, Leticia, Lila, Louise, Lucía, Lydia, Mabel,
  Margaret, Mei, Mercedes, Miriam, Nadia, Nancy, Naomi, Ngozi, Noor, Olive, Patricia, Phyllis, Priya, Rachel,
  Renée, Rosa, Ruth, Sakura, Saoirse, Shirley, Simone, Sofía, Susan, Tamika, Teresa, Thuy, Ursula, Valentina,
  Vera, Virginia, Wanda, Xiomara, Yolanda, Yvonne, Zainab, Zoë`);

export const MALE_NAMES = list(`
  Abel, Ahmed, Alan, Alejandro, Amir, André, Anthony, Arjun, Arthur, Benjamin, Carlos, Cedric, Charles,
  Chukwuemeka, Clarence, Daniel, Darnell, Dmitri, Donald, Duc, Edgar, Eduardo, Elijah, Emmanuel, Ernest,
  Francisco, Frank, Gerald, Giovanni, Harold, Hassan, Hector, Henry, Hiroshi, Ibrahim, Isaac, Ivan, James,
  Javier, Jérôme, Jesús, Jin, Joaquín, John, Joseph, Kenji, Kwame, Lawrence, Leon, Lionel, Luis, Malik, Manuel,
  Marcus, Mateo, Mohammed, Moses, Nathaniel, Nikhil, Omar, Oscar, Patrick, Percy, Ravi, Raymond, René, Richard,
  Robert, Samuel, Seamus, Stanley, Terrence, Thaddeus, Tuan, Vernon, Victor, Walter, Wilfred, William, Yusuf`);

const WIDESPREAD_NAMES = list(`
  Abernathy, Achebe, Adeyemi, Aguilar, Al-Masri, Alvarado, Amundsen, Anaya, Arrington, Ashgrove, Baptiste,
  Barlowe, Bellweather, Benítez, Bhatt, Birchwood, Blackfeather, Blanchet, Boateng, Bramble, Brightwater,
  Calderón, Carmody, Castellanos, Chandrasekhar, Chen, Chisholm, Cisneros, Clearwater, Coldbrook, Corrigan,
  Crowfoot, Dalgaard, Dasgupta, De la Cruz, Delacroix, Desrosiers, Dhillon, Dimond, Donnelly, Dreyfus, Ekström,
  Elderberry, Emberton, Escobedo, Fairweather, Farouk, Featherstone, Ferreira, Fitzgibbon, Fontaine, Foxglove,
  Fujimoto, Galloway, Garvey, Gebremariam, Ghorbani, Goldwater, Gupta, Guzmán, Haddad, Halvorsen, Harkness,
  Hawthorne, Hernández, Holloway, Huang, Ibarra, Ingersoll, Iwasaki, Jaramillo, Jorgensen, Kamau, Kaplan, Karimi,
  Kessler, Kim, Kirkbride, Kowalczyk, Krishnamurthy, Lambert, Larkspur, Le, Lindqvist, Lockhart, López,
  Macallister, Maldonado, Marchetti, McGillicuddy, Mendoza, Merriweather, Mbeki, Montclair, Moreau, Müller,
  Nakamura, Ng, Nguyen, Nightingale, Northcott, Novak, Núñez, O'Brien, O'Shaughnessy, Obi, Okafor, Oldfield,
  Oyelaran, Pacheco, Palmquist, Papadopoulos, Patel, Pemberton, Petrov, Pham, Quackenbush, Quintero, Rafferty,
  Ramírez, Redfern, Rosenthal, Rutherford, Salazar, Sandoval, Santangelo, Schönfeld, Shapiro, Silverthorne,
  Singh, Sorensen, Stillwater, Subramaniam, Sweetbriar, Takahashi, Tallchief, Tesfaye, Thackeray, Thistlewood,
  Thorne, Tran, Underhill, Uzoma, Valdivia, Van der Berg, Vasquez, Venkataraman, Vo, Wainwright, Washburn,
  Weatherby, Whitcombe, Winterbourne, Wojcik, Wu, Yamamoto, Yarrow, Yellowhorse, Zamora, Zapata, Zimmermann`);

const BEGINNINGS = list(`
  Alder, Amber, Brack, Cald, Cope, Darn, Elling, Fenn, Garth, Hazel, Kirk, Lang, Marl, Oster, Pen, Quill, Raven, Stan,
  Thorn, Wick`);
const ENDINGS = list('bourne, bridge, croft, dale, field, holme, hurst, more, shaw, stead, well, worth');

/** Many enough that a page of a list seldom has one twice. */
export const FAMILY_NAMES: readonly string[] = [
  ...WIDESPREAD_NAMES,
  ...BEGINNINGS.flatMap((beginning) => ENDINGS.map((ending) => beginning + ending)),
];

/** A long name that overflows narrow columns. */
export const LONG_FAMILY_NAME = 'Wolfeschlegelsteinhausen-Bergerdorff';

export const NICKNAMES: Readonly<Record<string, string>> = {
  Elizabeth: 'Liz',
  Katherine: 'Kate',
  Margaret: 'Peggy',
  Patricia: 'Pat',
  Deborah: 'Debbie',
  Susan: 'Sue',
  Virginia: 'Ginny',
  Benjamin: 'Ben',
  Charles: 'Chuck',
  Daniel: 'Dan',
  James: 'Jim',
  John: 'Jack',
  Joseph: 'Joe',
  Lawrence: 'Larry',
  Nathaniel: 'Nate',
  Raymond: 'Ray',
  Richard: 'Rick',
  Robert: 'Bob',
  Samuel: 'Sam',
  Walter: 'Walt',
  William: 'Bill',
};

/** Given names of twins, similar enough for a clerk to confuse them. */
export const TWIN_NAMES = [
  ['Mia', 'Nia'],
  ['Jayden', 'Jordan'],
  ['Ella', 'Bella'],
  ['Marco', 'Mario'],
  ['Aaliyah', 'Amiyah'],
  ['Taylor', 'Tyler'],
  ['Daniela', 'Daniel'],
  ['Emil', 'Emilia'],
  ['Leah', 'Lena'],
  ['Oliver', 'Olivia'],
] as const;

export const STREETS = list(`
  Alder Street, Anchor Lane, Beacon Hill Road, Birch Avenue, Breakwater Drive, Canning Street, Cedar Court,
  Chandler Way, Cobblestone Lane, Cormorant Road, Driftwood Drive, East Ferry Street, Elm Terrace,
  Fishladder Road, Foundry Street, Gull Crossing, Harbor View Drive, Heron Marsh Road, Ironworks Avenue,
  Juniper Street, Kingfisher Lane, Lantern Court, Lighthouse Road, Lower Mill Road, Maple Street, Miller Street,
  North Quay Street, Old Orchard Road, Pike Street, Quarry Road, Rookery Lane, Sawmill Road, Schoolhouse Road,
  Ship Street, South Shore Drive, Spindrift Avenue, Tamarack Trail, Tidewater Street, Wharf Street, Willow Lane`);

export interface Town {
  name: string;
  state: 'MI' | 'WI';
  zip: string;
}

/** Towns on both sides of the time zone line. None of them exists. */
export const TOWNS: readonly Town[] = [
  { name: 'Alder Bay', state: 'MI', zip: '49981' },
  { name: 'Kestrel Point', state: 'MI', zip: '49982' },
  { name: 'Marlow Falls', state: 'MI', zip: '49983' },
  { name: 'Pinewater', state: 'MI', zip: '49984' },
  { name: 'Gannet Harbor', state: 'MI', zip: '49985' },
  { name: 'Old Foundry', state: 'MI', zip: '49986' },
  { name: 'Sedge Landing', state: 'MI', zip: '49987' },
  { name: 'Three Herons', state: 'MI', zip: '49989' },
  { name: 'Brendan Mills', state: 'WI', zip: '54991' },
  { name: 'Copper Ferry', state: 'WI', zip: '54992' },
  { name: 'East Tamarack', state: 'WI', zip: '54993' },
  { name: 'Lantern Lake', state: 'WI', zip: '54994' },
  { name: 'Northgate', state: 'WI', zip: '54995' },
  { name: 'Willow Bend', state: 'WI', zip: '54996' },
];

/** Given and family names of the region's doctors. Their NPIs follow from the position in this list. */
export const PROVIDER_NAMES = [
  ['Ondine', 'Castellan'],
  ['Rupert', 'Ferrow'],
  ['Shirin', 'Daneshvar'],
  ['Callum', 'Birdsong'],
  ['Wen', 'Hartigan'],
  ['Olga', 'Prideaux'],
  ['Tobias', 'Nkemelu'],
  ['Marguerite', 'Solberg'],
] as const;
