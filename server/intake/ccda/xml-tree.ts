/**
 * XML → a tree of elements, by a streaming parser that knows no entities besides the five of XML, loads nothing and runs nothing. A
 * document type declaration, any other entity, and what exceeds the limits ends the reading at once.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { bareAmpersandIn } from './bare-ampersand.ts';
import { decodeXml } from './decode-xml.ts';
import { LONGEST_ATTRIBUTE, MOST_ATTRIBUTES, MOST_BYTES, MOST_DEPTH, MOST_ELEMENTS } from './limits.ts';
import { SEND_AGAIN, Unreadable } from './unreadable.ts';

/** An element with what it contains, in order. */
export interface Element {
  /** The local name; with a prefix 'sdtc:' for the extensions of HL7, and 'other:' in any other namespace. */
  name: string;
  /** Names as written and values, in turns: most elements have one or two, and no prefix is needed to read a clinical document. */
  attributes: readonly string[];
  children: (Element | string)[];
  /** What `onClose` read from it. */
  read?: unknown;
}

/**
 * Called when an element is complete. What it returns takes the place of what the element contains, so that a document need not be in memory
 * as a whole; undefined keeps the element as it is.
 */
export type OnClose = (element: Element) => unknown;

const CDA = 'urn:hl7-org:v3';
const SDTC = 'urn:hl7-org:sdtc';
/** Whether an element says nothing that a reader needs, anywhere or within an entry. They are a third of a document. */
function isUnread(name: string, isEntry: boolean, parent: string): boolean {
  switch (name) {
    case 'templateId':
      // It tells what some acts hold (wrapped-acts.ts), and by which version of C-CDA a medication is written (medication-values.ts).
      return parent !== 'act' && parent !== 'substanceAdministration';
    case 'realmCode':
    case 'typeId':
    case 'colgroup':
    case 'col':
      return true;
    case 'id':
    case 'author':
    case 'informant':
    case 'performer':
    case 'specimen':
    case 'methodCode':
    case 'languageCode':
      return isEntry;
    default:
      return false;
  }
}
/** Whether blanks in an element of a narrative may separate words: not where it only holds rows, cells or items. */
function holdsWords(name: string): boolean {
  switch (name) {
    case 'table':
    case 'thead':
    case 'tbody':
    case 'tfoot':
    case 'tr':
    case 'list':
      return false;
    default:
      return true;
  }
}
/** Most text outside of narratives is an indentation. */
function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x20 && code !== 0xa0 && code !== 0xfeff) return false;
  }
  return true;
}
const KNOWN_PREFIXES: Readonly<Record<string, string>> = {
  sdtc: SDTC,
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
  voc: 'urn:hl7-org:v3/voc',
};

/** The options of the parser, which a test compares its speed with. A prefix that is not declared is no reason to refuse a document. */
export const PARSER_OPTIONS = {
  xmlns: true,
  position: true,
  resolvePrefix: (prefix: string) => KNOWN_PREFIXES[prefix] ?? 'urn:undeclared',
} as const;

/** What most elements contain: an array for each would be a third of a document's objects. */
const NOTHING: (Element | string)[] = [];
const NONE: string[] = [];

/** Returns the document's element. Throws Unreadable. */
export function readXml(bytes: Uint8Array, onClose: OnClose = () => undefined): Element {
  if (bytes.length > MOST_BYTES) {
    const most = MOST_BYTES / 1024 / 1024;
    throw new Unreadable(`The document is larger than ${most} MB. Send its parts as several documents.`);
  }
  const parser = new SaxesParser(PARSER_OPTIONS);
  const refuse = (what: string): never => {
    throw new Unreadable(`${what} ${SEND_AGAIN}`, { line: parser.line, column: parser.column });
  };
  const tree = new TreeBuilder(onClose, refuse);
  // Six handlers at most: with a seventh, V8 keeps the parser as a dictionary, and parsing takes half as long again. Without one for errors, the
  // parser throws them.
  parser.on('doctype', () =>
    refuse('There is a document type declaration (DOCTYPE), which clinical documents do not use.'),
  );
  parser.on('attribute', ({ name, value }) => tree.addAttribute(name, value));
  parser.on('opentag', (tag) => tree.open(tag));
  parser.on('closetag', () => tree.close());
  parser.on('text', (text) => tree.addText(text));
  parser.on('cdata', (text) => tree.addText(text));
  try {
    for (const piece of decodeXml(bytes)) parser.write(piece);
    parser.close();
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    const ampersand = bareAmpersandIn([...decodeXml(bytes)].join(''));
    if (ampersand !== null && ampersand.offset < parser.position)
      throw new Unreadable(`${BARE_AMPERSAND} ${SEND_AGAIN}`, ampersand);
    refuse(describe((error as Error).message));
  }
  return tree.element ?? refuse('The document has no element.');
}

class TreeBuilder {
  readonly #onClose: OnClose;
  readonly #refuse: (what: string) => never;
  readonly #root: Element = { name: '', attributes: NONE, children: NOTHING };
  readonly #open: Element[] = [this.#root];
  #current = this.#root;
  #attributes = NONE;
  /** The document's own string for the namespace, which all elements in its scope share. */
  #cda = CDA;
  #elements = 0;
  /** How many elements are open that aren't read. */
  #skipped = 0;
  #isNarrative = false;
  #isEntry = false;

  constructor(onClose: OnClose, refuse: (what: string) => never) {
    this.#onClose = onClose;
    this.#refuse = refuse;
  }

  /** The document's element. */
  get element(): Element | undefined {
    return this.#root.children.find((child) => typeof child !== 'string');
  }

  /** The attributes of an element come before it is complete. */
  addAttribute(name: string, value: string): void {
    if (value.length > LONGEST_ATTRIBUTE) this.#refuse(`An attribute is longer than ${LONGEST_ATTRIBUTE} characters.`);
    if (this.#skipped > 0) return;
    if (this.#attributes === NONE) this.#attributes = [name, value];
    else if (this.#attributes.push(name, value) > MOST_ATTRIBUTES * 2)
      this.#refuse(`An element has more than ${MOST_ATTRIBUTES} attributes.`);
  }

  open(tag: SaxesTagNS): void {
    const attributes = this.#attributes;
    this.#attributes = NONE;
    this.#elements += 1;
    if (this.#elements > MOST_ELEMENTS) this.#refuse(`The document has more than ${MOST_ELEMENTS} elements.`);
    if (this.#open.length + this.#skipped > MOST_DEPTH)
      this.#refuse(`More than ${MOST_DEPTH} elements are inside each other.`);
    if (this.#skipped > 0) {
      this.#skipped += 1;
      return;
    }
    const name = this.#nameOf(tag);
    if (isUnread(name, this.#isEntry, this.#current.name)) {
      this.#skipped = 1;
      return;
    }
    const element: Element = { name, attributes, children: NOTHING };
    this.#add(element);
    if (name === 'entry') this.#isEntry = true;
    if (name === 'text' && this.#current.name === 'section') this.#isNarrative = true;
    this.#open.push(element);
    this.#current = element;
  }

  close(): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const closed = this.#open.pop() ?? this.#root;
    if (closed.name === 'entry') this.#isEntry = false;
    const read = this.#onClose(closed);
    if (read !== undefined) {
      closed.read = read;
      closed.children = NOTHING;
    }
    this.#current = this.#open[this.#open.length - 1] ?? this.#root;
    if (this.#current.name === 'section') this.#isNarrative = false;
  }

  addText(text: string): void {
    if (this.#skipped > 0 || this.#current === this.#root) return;
    if ((this.#isNarrative && holdsWords(this.#current.name)) || !isBlank(text)) this.#add(text);
  }

  #nameOf({ uri, local }: SaxesTagNS): string {
    if (uri !== this.#cda) {
      if (uri !== CDA) return `${uri === SDTC ? 'sdtc' : 'other'}:${local}`;
      this.#cda = uri;
    }
    return local;
  }

  #add(part: Element | string): void {
    if (this.#current.children === NOTHING) this.#current.children = [part];
    else this.#current.children.push(part);
  }
}

const BARE_AMPERSAND = 'An ampersand (&) begins no entity. An ampersand in a text is written as &amp;.';

/** The parser's reasons, without the names that some of them repeat from the document. */
const REASONS: readonly [begins: string, reason: string][] = [
  ['undefined entity', 'An entity is used that XML does not define.'],
  ['unmatched closing tag', 'A closing tag has no opening tag.'],
  ['unexpected close tag', 'A closing tag does not match the opening tag before it.'],
  ['unclosed tag', 'An element is not closed.'],
  ['duplicate attribute', 'An element has the same attribute twice.'],
  ['disallowed character', 'A character is not allowed here.'],
  ['malformed character entity', 'A character reference is malformed.'],
  ['empty document', 'The document is empty.'],
  ['text data outside of root node', 'There is text outside of the document element.'],
  ['document must contain a root element', 'The document has no element.'],
];

function describe(message: string): string {
  const said = message.replace(/^\d+:\d+: /, '').toLowerCase();
  return REASONS.find(([begins]) => said.startsWith(begins))?.[1] ?? 'The XML is not well-formed.';
}
