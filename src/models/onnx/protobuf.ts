/** A message in Protocol Buffers' wire format (protobuf.dev/programming-guides/encoding), field after field. */
export class ProtobufMessage {
  #bytes = new Uint8Array(256);
  #length = 0;

  /** A whole number from -(2^53) to 2^53, as `int32`, `int64` and enumerations have it. */
  integer(field: number, value: number): this {
    this.#tag(field, 0);
    this.#varint(value);
    return this;
  }

  /** A 32-bit float. */
  float(field: number, value: number): this {
    this.#tag(field, 5);
    const bits = new DataView(new ArrayBuffer(4));
    bits.setFloat32(0, value, true);
    this.#append(new Uint8Array(bits.buffer));
    return this;
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  message(field: number, value: ProtobufMessage): this {
    return this.bytes(field, value.finish());
  }

  bytes(field: number, value: Uint8Array): this {
    this.#tag(field, 2);
    this.#varint(value.length);
    this.#append(value);
    return this;
  }

  /** The message; it must not be written to any more. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  /** Seven bits a byte, lowest first; a negative number as its two's complement of 64 bits. */
  #varint(value: number): void {
    let rest = BigInt.asUintN(64, BigInt(value));
    const bytes: number[] = [];
    while (rest > 127n) {
      bytes.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.#append(Uint8Array.from(bytes));
  }

  #append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) {
      const grown = new Uint8Array(2 * (this.#length + bytes.length));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }
}
