/** The resources of a message, and what its references refer to (FHIR R4, 2.36.4 and 2.3.0.7). */
import { ASK_SENDER } from '#server/intake/hl7/field-values.ts';
import { list, type Node, object, property, text } from './json.ts';
import { MOST_VALUES } from './limits.ts';
import { NoMessage, Unusable } from './unreadable.ts';

/** A resource, and what its own references are relative to. */
export interface Resource {
  type: string;
  node: Node;
  /** The fullUrl of its entry, or of the one that contains it. */
  fullUrl: string;
  /** The resource that contains it, or itself. */
  root: Node;
}

export interface Bundle {
  node: Node;
  /** The MessageHeader. */
  header: Resource;
  resources: readonly Resource[];
  /** Returns what an element of a resource refers to, if the message has it. Errors: Unusable if that is several. */
  follow: (from: Resource, name: string, node?: Node) => readonly Resource[];
}

const READ_TYPES = new Set(['message', 'collection', 'batch', 'transaction']);

/** Returns the bundle that an object is. Errors: NoMessage. */
export function bundleOf(node: Node): Bundle {
  const type = shown(property(node, 'resourceType'));
  if (type !== 'Bundle')
    throw new NoMessage(`A Bundle with a MessageHeader is needed. This is ${type || 'no resource'}.`, type || null);
  const kind = shown(property(node, 'type'));
  if (!READ_TYPES.has(kind)) throw new NoMessage('Bundle.type is not message.', 'Bundle.type');
  const resources = list(node, 'entry', MOST_VALUES).flatMap((entry) => {
    const resource = object(entry, 'resource');
    return resource === undefined ? [] : [resourceOf(resource, textOr(entry, 'fullUrl'), resource)];
  });
  const headers = resources.filter(({ type: each }) => each === 'MessageHeader');
  const [header] = headers;
  if (header === undefined)
    throw new NoMessage('The Bundle has no MessageHeader, so it is no message.', 'Bundle.entry');
  if (headers.length > 1)
    throw new NoMessage('The Bundle has several MessageHeaders. Send each message by itself.', 'Bundle.entry');
  const index = indexOf(resources);
  return { node, header, resources, follow: (from, name, of) => follow(index, from, list(of ?? from.node, name)) };
}

/** Returns by what its sender knows a message: the id of its header, else that of the bundle. */
export const messageIdOf = ({ node, header }: Pick<Bundle, 'node' | 'header'>): string | null =>
  text(header.node, 'id') ??
  (header.fullUrl.replace(/^urn:uuid:/, '').slice(0, 64) || undefined) ??
  text(object(node, 'identifier'), 'value') ??
  text(node, 'id') ??
  null;

/** A type may be any text: what isn't a name isn't shown. */
const shown = (value: unknown): string => (typeof value === 'string' && /^[A-Za-z]{1,64}$/.test(value) ? value : '');

const textOr = (node: Node, name: string): string => {
  const value = property(node, name);
  return typeof value === 'string' ? value : '';
};

const resourceOf = (node: Node, fullUrl: string, root: Node): Resource => ({
  type: shown(property(node, 'resourceType')),
  node,
  fullUrl,
  root,
});

/** Resources by what may refer to them: fullUrl, and type with id. */
type Index = ReadonlyMap<string, readonly Resource[]>;

function indexOf(resources: readonly Resource[]): Index {
  const index = new Map<string, Resource[]>();
  for (const resource of resources) {
    for (const key of new Set([resource.fullUrl, keyOf(resource.type, textOr(resource.node, 'id'))])) {
      const known = index.get(key);
      if (known) known.push(resource);
      else if (key !== '') index.set(key, [resource]);
    }
  }
  return index;
}

const keyOf = (type: string, id: string): string => (type === '' || id === '' ? '' : `${type}/${id}`);

function follow(index: Index, from: Resource, references: readonly Node[]): readonly Resource[] {
  return references.flatMap((reference) => {
    const address = text(reference, 'reference', LONGEST_ADDRESS);
    return address === undefined ? [] : resolve(index, from, address);
  });
}

const LONGEST_ADDRESS = 2000;

function resolve(index: Index, from: Resource, address: string): readonly Resource[] {
  if (address.startsWith('#')) {
    const inside = list(from.root, 'contained').filter((each) => textOr(each, 'id') === address.slice(1));
    return only(inside.map((each) => resourceOf(each, from.fullUrl, from.root)));
  }
  const [, relative] = /(?:^|\/)([A-Za-z]{1,64}\/[A-Za-z0-9\-.]{1,64})(?:\/_history\/[^/]{0,64})?$/.exec(address) ?? [];
  const [, base = ''] = /^(https?:.{1,2000}\/)[A-Za-z]{1,64}\/[^/]{1,64}$/.exec(from.fullUrl) ?? [];
  const found =
    index.get(address) ?? index.get(base + address) ?? (relative === undefined ? undefined : index.get(relative));
  return only(found ?? []);
}

/** A reference to one of several different resources could be to another person. */
function only(found: readonly Resource[]): readonly Resource[] {
  if (found.length > 1)
    throw new Unusable(`Several entries have the fullUrl, or the type and id, of one reference. ${ASK_SENDER}`);
  return found;
}
