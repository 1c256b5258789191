/**
 * A union-find over record, account or visit numbers. Each set is named by the number that survives its merges. Joins in the same order
 * give the same result, so callers sort them by content.
 */
export class Lineage {
  readonly #parent = new Map<string, string>();
  readonly #survivor = new Map<string, string>();

  /** Merges `prior` into `next`. The reverse of an earlier join (B into A after A into B) makes `next` the survivor; a repeat does nothing. */
  join(prior: string, next: string): void {
    const from = this.#root(prior);
    const into = this.#root(next);
    if (from !== into) {
      this.#parent.set(from, into);
      this.#survivor.delete(from);
    } else if (this.resolve(prior) === prior) {
      this.#survivor.set(into, next);
    }
  }

  /** Returns the surviving name of `name`. */
  resolve(name: string): string {
    const root = this.#root(name);
    return this.#survivor.get(root) ?? root;
  }

  #root(name: string): string {
    let root = name;
    for (let up = this.#parent.get(root); up !== undefined; up = this.#parent.get(root)) root = up;
    if (root !== name) this.#parent.set(name, root);
    return root;
  }
}
