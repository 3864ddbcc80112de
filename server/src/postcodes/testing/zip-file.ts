import { crc32, deflateRawSync } from 'node:zlib';

const DEFLATED = 8;
const UTF8_NAMES = 0x800;
const ENCRYPTED = 1;

interface ZipOptions {
  /** Marks every file as encrypted, without encrypting it. */
  readonly encrypted?: boolean;
  /** What the archive says of the size of some files, which is not true. */
  readonly declaredBytes?: Readonly<Record<string, number>>;
}

/** A zip archive of files by name, for tests. */
export function zipFile(files: Readonly<Record<string, string | Buffer>>, options: ZipOptions = {}): Buffer {
  const flags = UTF8_NAMES + (options.encrypted === true ? ENCRYPTED : 0);
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(options.declaredBytes?.[name] ?? bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, central, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end]);
}
