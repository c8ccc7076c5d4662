"""The files of a store that is in use."""


def sizes_of(folder, pattern="*"):
    """The sizes of the files in a folder and below it. They come and go meanwhile."""
    sizes = []
    for file in folder.rglob(pattern):
        try:
            if file.is_file():
                sizes.append(file.stat().st_size)
        except FileNotFoundError:
            continue
    return sizes
