"""Writes `vectors/v1` anew, from seeds: `.venv/bin/python tests/make_vectors.py`.  To change a file of it is to change the protocol."""

from vectormaker.files import HERE, README, everything


def main() -> None:
    files = everything()
    for path in [path for path in HERE.rglob("*") if path.is_file()]:
        if path.relative_to(HERE).as_posix() not in {*files, README}:
            path.unlink()
    for name, content in files.items():
        path = HERE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != content:
            print(name)
            path.write_bytes(content)
    print(f"{len(files)} files, {sum(map(len, files.values()))} bytes, the largest {max(map(len, files.values()))}")


if __name__ == "__main__":
    main()
