/**
 * Union-find whose sets keep the name that survives: for record, account and visit numbers that give way to others.
 * The joins must be given in a fixed order (by content), then the result is fixed too.
 */
export class Lineage {
  readonly #parent = new Map<string, string>();
  readonly #survivor = new Map<string, string>();

  /** `prior` gives way to `next`. An inverse of an earlier join (B into A after A into B) turns the survivor round; a repeat does nothing. */
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

  /** The name that `name` goes by at the end. */
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
