import { type AngleTable, angleTable } from "../../models/causal/angleTable.js";
import type { OnnxNetwork } from "../../models/onnx/index.js";

/** A table of angles, and where in it the tokens of a pass are: [rows, length]. */
export interface PassAngles extends AngleTable {
  readonly positions: Int32Array;
}

/** Where the tokens of a pass stand. */
export interface PassPlaces {
  /** [rows, length] */
  readonly positions: Int32Array;
  /** Tokens of each row, the new ones included. */
  readonly totals: ArrayLike<number>;
}

/** Places that a table is made for at a time. */
const STEP = 256;

/** Angles of rotary positions. They are kept: most passes find theirs in the table of an earlier one. */
export class OnnxAngles {
  readonly #settings: NonNullable<OnnxNetwork["rotary"]>;
  #table: AngleTable = { cos: new Float32Array(0), sin: new Float32Array(0) };

  constructor(settings: NonNullable<OnnxNetwork["rotary"]>) {
    this.#settings = settings;
  }

  of({ positions, totals }: PassPlaces): PassAngles {
    const { scaling, size } = this.#settings;
    const longest = Math.max(...Array.from(totals));
    if (scaling.type === "dynamic" && longest > scaling.originalContext)
      return this.#byRow(positions, totals);
    // The tokens of a pass are turned as one row, and onnxruntime wants no row longer than the table.
    const places = Math.max(longest, positions.length);
    if (2 * this.#table.cos.length < places * size) {
      const all = Int32Array.from({ length: Math.ceil(places / STEP) * STEP }, (_, place) => place);
      this.#table = this.#directed(angleTable(this.#settings, all, 0));
    }
    return { ...this.#table, positions };
  }

  /** Every row has angles of its own. */
  #byRow(positions: Int32Array, totals: ArrayLike<number>): PassAngles {
    const length = positions.length / totals.length;
    const half = this.#settings.size / 2;
    const cos = new Float32Array(positions.length * half);
    const sin = new Float32Array(cos.length);
    for (let row = 0; row < totals.length; row++) {
      const own = positions.subarray(row * length, (row + 1) * length);
      const table = this.#directed(angleTable(this.#settings, own, totals[row]!));
      cos.set(table.cos, row * length * half);
      sin.set(table.sin, row * length * half);
    }
    return { cos, sin, positions: positions.map((_, index) => index) };
  }

  #directed({ cos, sin }: AngleTable): AngleTable {
    return this.#settings.direction === 1 ? { cos, sin } : { cos, sin: sin.map((value) => -value) };
  }
}
