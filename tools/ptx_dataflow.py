# SPDX-License-Identifier: Apache-2.0
"""What can be known of a PTX entry without executing it: which instructions decide a byte, which bits of a register may be
set, and which are looked at. tools/ptx_mutants explains survivors by it.

Registers are taken by name for the whole entry. One that several instructions set may hold anything of its width.
"""
import re

STATEMENT = re.compile(r"^(?:@(?P<not>!?)(?P<guard>[%\w]+)\s+)?(?P<opcode>[a-z][\w.:]*)(?:\s+(?P<operands>.*))?$", re.DOTALL)
LABEL = re.compile(r"^([$\w]+):(?!:)\s*")
NAME = re.compile(r"%?[A-Za-z_$][\w$.]*")
HINTS = ("prefetch", "cp.async.bulk.prefetch", "createpolicy", "applypriority", "discard")
NO_RESULT = ("st.", "bar.", "barrier.", "cp.async", "bra", "ret", "exit", "red.", "membar", "fence", "trap", *HINTS[:2])
HINT = "it feeds a prefetch alone, or nothing"


def operands_of(text):
    """Split at commas that are in no brackets."""
    parts, depth, begin = [], 0, 0
    for at, letter in enumerate(text or ""):
        depth += (letter in "[{(") - (letter in "]})")
        if letter == "," and depth == 0:
            parts.append(text[begin:at].strip())
            begin = at + 1
    last = (text or "")[begin:].strip()
    return [*parts, last] if last else parts


def integer(text):
    try:
        return int(text.rstrip("U"), 0)
    except ValueError:
        return None


class Instruction:
    def __init__(self, line, statement):
        found = STATEMENT.match(statement)
        self.line = line
        self.opcode = found["opcode"]
        self.guard = found["guard"]
        self.operands = operands_of(found["operands"])
        self.target = self.operands[-1] if self.opcode.startswith("bra") else None
        names = [[name for name in NAME.findall(operand) if not name.startswith("0")] for operand in self.operands]
        plain = self.opcode.startswith(NO_RESULT) and not self.opcode.startswith("createpolicy")
        self.sets = [] if plain or not names else names[0]
        self.reads = [name for part in (names if plain else names[1:]) for name in part]
        self.parts = self.opcode.split(".")

    def is_hint(self):
        return self.opcode.startswith(HINTS)


class Entry:
    """The instructions of the entry that begins at a line."""

    def __init__(self, text, begin=0):
        lines = text.split("\n")
        self.instructions, self.labels, self.width, self.threads = [], {}, {}, 1024
        pending, start, depth = "", 0, 0
        for number in range(begin, len(lines)):
            line = lines[number].split("//")[0].strip()
            outside = depth == 0
            depth += line.count("{") - line.count("}")
            if outside:
                threads = re.match(r"\.(?:maxntid|reqntid) (\d+)", line)
                self.threads = int(threads[1]) if threads else self.threads
                continue
            if depth == 0:
                break
            if line.startswith((".loc", ".file")):
                continue
            while label := LABEL.match(line):
                self.labels[label[1]] = len(self.instructions)
                line = line[label.end():]
            for piece in re.split(r"(;)", line):
                if piece == ";":
                    self._statement(start, pending.strip())
                    pending = ""
                elif piece.strip():
                    start = start if pending.strip(" {}\t") else number
                    pending += " " + piece
        self.at = {each.line: each for each in self.instructions}
        self.writers = {}
        for each in self.instructions:
            for name in each.sets:
                self.writers.setdefault(name, []).append(each)
        self._relevant()
        self._possible()
        self._demanded()

    def _statement(self, line, statement):
        statement = statement.lstrip("{} \t")
        if statement.startswith(".reg"):
            bits = 1 if ".pred" in statement else int(re.search(r"\.[busf](\d+)", statement)[1])
            for name in statement.split(None, 2)[2].split(","):
                self.width[re.sub(r"<\d+>$", "", name.strip())] = bits
        elif statement and not statement.startswith("."):
            self.instructions.append(Instruction(line, statement))

    def bits(self, name):
        return self.width.get(name) or self.width.get(name.rstrip("0123456789")) or 64

    # Which instructions a store, a barrier or an exit depends on: the others feed hints, or nothing.
    def _relevant(self):
        relevant, names = set(), set()
        changed = True

        def take(each):
            if id(each) in relevant:
                return False
            relevant.add(id(each))
            names.update(each.reads)
            if each.guard:
                names.add(each.guard)
            return True
        while changed:
            changed = False
            for at, each in enumerate(self.instructions):
                if each.opcode.startswith("bra"):
                    end = self.labels.get(each.target, at)
                    between = self.instructions[at + 1:end]
                    decides = end <= at or any(
                        id(other) in relevant or other.opcode.startswith(("ret", "exit")) or
                        (other.target and not at < self.labels.get(other.target, at) <= end) for other in between)
                    if each.guard and decides:
                        changed |= take(each)
                elif each.opcode.startswith(NO_RESULT):
                    if not each.is_hint() and not each.opcode.startswith(("ret", "exit")):
                        changed |= take(each)
                    elif each.opcode.startswith(("ret", "exit")) and each.guard:
                        changed |= take(each)
                elif names.intersection(each.sets):
                    changed |= take(each)
        self.relevant = {each.line for each in self.instructions if id(each) in relevant}

    # Bits that may be set, by register.
    def _possible(self):
        self.may = {}
        for each in self.instructions:
            for name in each.sets:
                full = (1 << self.bits(name)) - 1
                self.may[name] = full if len(self.writers[name]) > 1 or each.guard else self._result(each, full)

    def may_be(self, operand):
        value = integer(operand)
        if value is not None:
            return value & ((1 << 64) - 1)
        if operand == "%tid.x":
            return (1 << (self.threads - 1).bit_length()) - 1
        if operand == "%ctaid.x":
            return (1 << 31) - 1
        return self.may.get(operand, (1 << self.bits(operand)) - 1)

    def _result(self, each, full):
        op, last = each.parts[0], each.parts[-1]
        if op in ("ld",) and last in ("u8", "b8"):
            return 0xff if len(each.sets) == 1 else full
        if op == "ld" and last in ("u16", "b16") and len(each.sets) == 1:
            return 0xffff
        if op == "ld" and last in ("u32", "b32") and len(each.sets) == 1:
            return 0xffffffff & full
        if len(each.sets) != 1 or any(part[0] in "{[" for part in each.operands[1:]):
            return full
        source = [self.may_be(operand) for operand in each.operands[1:]]
        count = integer(each.operands[2]) if len(each.operands) == 3 else None
        if op == "mov" or (op == "cvt" and last[0] in "bu" and each.parts[1][0] in "bus" and len(each.parts) == 3):
            return source[0] & ((1 << int(last[1:])) - 1) & full if last[1:].isdigit() else source[0] & full
        if op == "cvt" and len(each.parts) == 3 and last in ("s8", "s16", "s32") and each.parts[1][0] in "bus":
            bits = int(last[1:])
            low = source[0] & ((1 << bits) - 1)
            return low if not low >> (bits - 1) else full
        if op == "and":
            return source[0] & source[1]
        if op in ("or", "xor"):
            return (source[0] | source[1]) & full
        if op == "shl" and count is not None:
            return source[0] << count & full
        if op == "shr" and count is not None and (last[0] in "bu" or not source[0] >> (int(last[1:]) - 1) & 1):
            return source[0] >> count
        if op in ("add", "mul", "mad") and last[0] in "us" and each.parts[1] not in ("hi", "cc"):
            total = source[0] * source[1] if op in ("mul", "mad") else source[0] + source[1]
            zeros = self._zeros(source[0]) + self._zeros(source[1]) if op in ("mul", "mad") else min(
                self._zeros(source[0]), self._zeros(source[1]))
            if op == "mad":
                total, zeros = total + source[2], min(zeros, self._zeros(source[2]))
            bound = (1 << total.bit_length()) - 1
            return (bound if bound <= full else full) & ~((1 << min(zeros, 63)) - 1) if total else 0
        if op == "selp":
            return source[0] | source[1]
        if each.opcode == "prmt.b32" and integer(each.operands[3]) is not None:
            return self._picked(source, integer(each.operands[3]))
        return full

    @staticmethod
    def _picked(source, selector):
        whole, result = source[0] & 0xffffffff | (source[1] & 0xffffffff) << 32, 0
        for at in range(4):
            pick = selector >> 4 * at & 0xf
            byte = whole >> 8 * (pick & 7) & 0xff
            result |= (byte if pick < 8 else 0xff if byte & 0x80 else 0) << 8 * at
        return result

    @staticmethod
    def _zeros(mask):
        return 64 if mask == 0 else (mask & -mask).bit_length() - 1

    # Bits that somebody looks at, by register.
    def _demanded(self):
        self.looked_at = {}
        changed = True
        while changed:
            changed = False
            for each in reversed(self.instructions):
                if each.line not in self.relevant:
                    continue
                for name, mask in self._demands(each):
                    old = self.looked_at.get(name, 0)
                    if mask & ~old:
                        self.looked_at[name] = old | mask
                        changed = True

    def _demands(self, each):
        everything = (1 << 64) - 1
        if each.guard:
            yield each.guard, 1
        wanted = 0
        for name in each.sets:
            wanted |= self.looked_at.get(name, 0)
        op, last = each.parts[0], each.parts[-1]
        if not each.sets:
            if op == "st" and not each.operands[1].startswith("{"):
                yield from ((name, everything) for name in NAME.findall(each.operands[0]))
                yield each.operands[1], (1 << int(last[1:])) - 1
            else:
                yield from ((name, everything) for name in each.reads)
            return
        if wanted == 0:
            return
        below = (1 << wanted.bit_length()) - 1
        simple = len(each.sets) == 1 and not any(part[0] in "{[" for part in each.operands[1:])
        count = integer(each.operands[2]) if simple and len(each.operands) == 3 else None
        for at, operand in enumerate(each.operands[1:]):
            others = [each.operands[1 + other] for other in range(len(each.operands) - 1) if other != at]
            for name in NAME.findall(operand):
                mask = everything
                if simple and op == "and" and last != "pred":
                    mask = wanted & self.may_be(others[0])
                elif simple and op in ("or", "xor", "mov") and last != "pred":
                    mask = wanted
                elif simple and op == "shl" and count is not None and at == 0:
                    mask = wanted >> count
                elif simple and op == "shr" and last[0] in "bu" and count is not None and at == 0:
                    mask = wanted << count
                elif simple and op in ("add", "sub") and last[0] in "us" and each.parts[1] not in ("cc",):
                    mask = below
                elif simple and op in ("mul", "mad") and each.parts[1] == "lo":
                    mask = below
                elif simple and op == "cvt" and len(each.parts) == 3 and last[0] in "bu" and each.parts[1][0] in "bus":
                    mask = wanted & ((1 << int(last[1:])) - 1)
                elif simple and op == "selp" and at < 2:
                    mask = wanted
                yield name, mask

    def same(self, line, to):
        """Why the instruction of this line and `to` in its place give the same bytes; empty where that is not known."""
        before = self.at.get(line)
        found = STATEMENT.match(to.strip().rstrip(";").strip()) if not to.strip().startswith("//") else None
        if before is None or found is None:
            return ""
        after = Instruction(line, to.strip().rstrip(";").strip())
        if line not in self.relevant:
            return HINT
        if before.sets == after.sets and before.guard == after.guard and self._overwritten(before):
            return "it is set again before anybody looks at it"
        wanted = 0
        for name in before.sets:
            wanted |= self.looked_at.get(name, 0)
        if before.guard != after.guard or found["not"] and before.guard is None:
            return ""
        if before.opcode != after.opcode:
            return self._same_opcode(before, after, wanted)
        return self._same_number(before, after, wanted)

    # Straight on from here, what it sets is set anew and not read.
    def _overwritten(self, before):
        at = self.instructions.index(before)
        if len(before.sets) != 1 or before.operands[1:] and before.operands[1].startswith("["):
            return False
        for next_at in range(at + 1, len(self.instructions)):
            each = self.instructions[next_at]
            if before.sets[0] in each.reads or each.target or each.guard or next_at in self.labels.values():
                return False
            if each.sets == before.sets:
                return True
        return False

    def _same_opcode(self, before, after, wanted):
        op, last, changed = before.parts[0], before.parts[-1], after.parts[-1]
        if any(part[0] == "{" for part in before.operands):
            return ""
        signs = last[1:] == changed[1:] and {last[0], changed[0]} in ({"s", "u"}, {"s", "b"})
        if signs and op == "ld":
            bits = int(last[1:])
            if not wanted >> bits:
                return "nobody looks at the bits that its sign fills"
            return "a table's entries and numbers of pages are never negative" if bits == 32 and "global" in before.parts else ""
        sources = [self.may_be(operand) for operand in before.operands[1:]]
        if signs and op in ("setp", "div", "rem", "shr"):
            looked = sources[:1] if op == "shr" else sources[:2]
            top = int(last[1:]) - 1
            count = integer(before.operands[2])
            if op == "shr" and count is not None and not wanted >> max(top + 1 - count, 0) & ((1 << top + 1) - 1):
                return "nobody looks at the bits that its sign fills"
            negative = [operand for operand, source in zip(before.operands[1:], looked) if source >> top & 1]
            if op == "setp" and negative and top == 63 and all(self._is_parameter(operand) for operand in negative):
                return "numbers of elements are never negative"
            return "neither is ever negative" if not negative else ""
        if op == "setp" and len(before.operands) == 3:
            value = integer(before.operands[2])
            if value is not None and value & ~sources[0] & ((1 << int(last[1:])) - 1):
                return "the two are never equal"
            return self._same_chosen(before)
        if "rn" in before.parts and "rz" in after.parts and op == "cvt" and last in ("u16", "u32", "s32"):
            return "the conversion is exact" if not sources[0] >> 24 else ""
        return ""

    def _is_parameter(self, name):
        return all(each.parts[:2] == ["ld", "param"] for each in self.writers.get(name, [None])) if name in self.writers else False

    # Equal ones are the same whichever is chosen: setp.gt p, a, b; selp d, a, b, p.
    def _same_chosen(self, before):
        compared = before.operands[1:3]
        readers = [each for each in self.instructions if before.sets[0] in each.reads or before.sets[0] == each.guard]
        chosen = all(each.parts[0] == "selp" and sorted(each.operands[1:3]) == sorted(compared) for each in readers)
        unsigned = not any(self.may_be(operand) >> 31 & 1 for operand in compared)
        integers = before.parts[-1][0] in "bus"
        return "equal ones are the same, whichever is chosen" if readers and chosen and (integers or unsigned) else ""

    def _same_number(self, before, after, wanted):
        differ = [at for at, (old, new) in enumerate(zip(before.operands, after.operands)) if old != new]
        if len(differ) != 1 or len(before.operands) != len(after.operands):
            return ""
        old, new = integer(before.operands[differ[0]]), integer(after.operands[differ[0]])
        if old is None or new is None:
            return ""
        op, kind = before.parts[0], before.parts[1] if len(before.parts) > 1 else ""
        others = [self.may_be(operand) for at, operand in enumerate(before.operands) if at not in (0, differ[0])]
        if op == "and" and not (old ^ new) & others[0] & wanted:
            return "the bits that differ are never set, or nobody looks at them"
        if op in ("or", "xor", "mov", "selp") and not (old ^ new) & wanted:
            return "nobody looks at the bits that differ"
        if op == "setp" and differ[0] == 2:
            apart = {"lt": [old], "ge": [old], "le": [new], "gt": [new], "eq": [old, new], "ne": [old, new]}.get(kind)
            width = (1 << int(before.parts[-1][1:])) - 1 if before.parts[-1][1:].isdigit() else 0
            if apart and width and all(value & width & ~others[0] for value in apart):
                return "what they tell apart is never compared"
        if op == "prmt" and differ[0] == 3:
            sources = [self.may_be(operand) for operand in before.operands[1:3]]
            whole = sources[0] & 0xffffffff | (sources[1] & 0xffffffff) << 32
            for at in range(4):
                picks = [value >> 4 * at & 0xf for value in (old, new)]
                looked = wanted >> 8 * at & 0xff
                zero = all(pick < 8 and not whole >> 8 * pick & 0xff for pick in picks)
                if picks[0] != picks[1] and looked and not zero:
                    return ""
            return "nobody looks at the bytes that differ"
        return ""
